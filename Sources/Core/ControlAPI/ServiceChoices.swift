extension ServiceChoice {
    /// The ID with which `AnswerQuestion` selects the service.
    public var selectionID: String { id ?? link }
}

extension Sequence<ServiceChoice> {
    /// The services without duplicates. If several accounts have the same service, the first account is used.
    /// An "allow" answer that selects no services allows exactly these services.
    public var uniquedByLink: [ServiceChoice] {
        var seen: Set<String> = []
        return filter { seen.insert($0.link).inserted }
    }
}
