/// A reply that a person can read.
protocol Readable: Sendable {
    /// Complete lines, each ending with `\n`.
    func text(on page: Page) -> String
}
