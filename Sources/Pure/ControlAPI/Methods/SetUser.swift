/// Says who the person is from now on; what is nil stays as it is.
public struct SetUser: ControlMethod {
    public typealias Reply = UserView

    public var userId: String?
    public var userName: String?
    public var account: String?

    public init(userId: String? = nil, userName: String? = nil, account: String? = nil) {
        self.userId = userId
        self.userName = userName
        self.account = account
    }
}
