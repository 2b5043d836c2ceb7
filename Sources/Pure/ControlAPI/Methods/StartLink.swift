/// Offers another device a link (with `more`): first the token, then the same with how it ended.
public struct StartLink: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public typealias Reply = LinkView
}
