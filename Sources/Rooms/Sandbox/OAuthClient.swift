/// What an admin's client proves itself with.
public struct OAuthClient: Hashable, Sendable {
    public var id: String
    public var secret: String

    public init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }
}
