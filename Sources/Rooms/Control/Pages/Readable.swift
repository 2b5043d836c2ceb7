/// A reply that a person can read.
protocol Readable: Sendable {
    /// Complete lines, each ending with `\n`.
    func text(on page: Page) -> String

    /// What a person has to know beside it, for standard error.
    var remark: String? { get }
}

extension Readable {
    var remark: String? { nil }
}
