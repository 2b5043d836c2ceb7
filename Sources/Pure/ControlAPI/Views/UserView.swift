/// Who the person is to support.
public struct UserView: Codable, Hashable, Sendable {
    public var account: String
    public var userId: String?
    public var userName: String?

    public init(account: String, userId: String? = nil, userName: String? = nil) {
        self.account = account
        self.userId = userId
        self.userName = userName
    }
}
