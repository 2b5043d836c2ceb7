/// Hands a store's receipt to the service, and tells what came of it.
public struct VerifySubscription: ControlMethod {
    public var platform: String
    public var productId: String
    /// Base64.
    public var receiptData: String
    public var account: String?

    public init(platform: String, productId: String, receiptData: String, account: String? = nil) {
        self.platform = platform
        self.productId = productId
        self.receiptData = receiptData
        self.account = account
    }

    public typealias Reply = GetSubscription.Reply
}
