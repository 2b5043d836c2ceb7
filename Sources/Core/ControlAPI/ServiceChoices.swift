extension ServiceChoice {
    /// The value that identifies the service in `AnswerQuestion`.
    public var answer: String { id ?? link }
}

extension Sequence<ServiceChoice> {
    /// The services without duplicates; the first account that has a service is used. The answer "allow"
    /// without a selection allows these services.
    public var uniquedByLink: [ServiceChoice] {
        var seen: Set<String> = []
        return filter { seen.insert($0.link).inserted }
    }
}
