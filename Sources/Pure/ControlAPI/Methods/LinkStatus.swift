/// How far a link has come that this device offered or confirmed.
public struct LinkStatus: ControlMethod {
    public var linkToken: String
    public var account: String?

    public init(linkToken: String, account: String? = nil) {
        self.linkToken = linkToken
        self.account = account
    }

    public typealias Reply = LinkView
}
