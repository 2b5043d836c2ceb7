/// What a server says about a refusal.
public struct ErrorBody: Hashable, Sendable, Codable {
    public var error: String

    public init(error: String) { self.error = error }
}
