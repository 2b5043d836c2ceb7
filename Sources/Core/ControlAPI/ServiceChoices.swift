extension ServiceChoice {
    /// The identifier to use in an answer.
    public var answer: String { id ?? link }
}

extension Sequence<ServiceChoice> {
    /// The services without duplicates, each by the first account that has it. A plain "allow" answer allows
    /// these.
    public var uniquedByLink: [ServiceChoice] {
        var seen: Set<String> = []
        return filter { seen.insert($0.link).inserted }
    }
}
