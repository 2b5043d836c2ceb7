/// Who the person is to support.
public struct GetUser: ControlMethod {
    public typealias Reply = UserView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}
