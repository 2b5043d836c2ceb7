/// A subscription and what was used of it in its billing period; nil where the service does not tell, or sets
/// no limit.
public struct SubscriptionView: Codable, Hashable, Sendable {
    public var account: String
    public var tier: String
    /// `none`, `active`, `expired` or `grace_period`.
    public var state: String?
    /// The end of an active state or of a grace period, Unix milliseconds.
    public var until: Int64?
    public var billingPeriod: String?
    public var feedbackCount: Int?
    public var feedbackLimit: Int?
    public var feedbackRemaining: Int?
    public var messageCount: Int?
    public var attachmentBytes: Int?
    public var storageLimitBytes: Int?

    public init(
        account: String, tier: String, state: String? = nil, until: Int64? = nil,
        billingPeriod: String? = nil, feedbackCount: Int? = nil, feedbackLimit: Int? = nil,
        feedbackRemaining: Int? = nil, messageCount: Int? = nil, attachmentBytes: Int? = nil,
        storageLimitBytes: Int? = nil
    ) {
        self.account = account
        self.tier = tier
        self.state = state
        self.until = until
        self.billingPeriod = billingPeriod
        self.feedbackCount = feedbackCount
        self.feedbackLimit = feedbackLimit
        self.feedbackRemaining = feedbackRemaining
        self.messageCount = messageCount
        self.attachmentBytes = attachmentBytes
        self.storageLimitBytes = storageLimitBytes
    }
}
