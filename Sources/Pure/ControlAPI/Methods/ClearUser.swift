/// Forgets what `SetUser` said: the configuration holds again.
public struct ClearUser: ControlMethod {
    public typealias Reply = UserView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}
