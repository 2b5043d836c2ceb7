/// The developer's subscription to the service, which SDKs before 2.0 can query.
public enum Subscription {
    public struct Tier: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let free = Tier("free")
        public static let starter = Tier("starter")
        public static let pro = Tier("pro")
        public static let business = Tier("business")

        /// The maximum number of conversations per billing period; `nil` if unlimited or if the tier is
        /// unknown.
        public var conversationLimit: Int? {
            switch self {
            case .free: 50
            case .starter: 500
            case .pro: 10_000
            default: nil
            }
        }
    }

    public struct State: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let none = State("none")
        public static let active = State("active")
        public static let expired = State("expired")
        public static let gracePeriod = State("grace_period")
    }

    /// The body that verifies a purchase in an app store.
    public struct Receipt: RequestBody {
        public var platform: String
        /// The receipt of the purchase in base64.
        public var receiptData: String
        public var productID: String

        public init(platform: String, receiptData: String, productID: String) {
            self.platform = platform
            self.receiptData = receiptData
            self.productID = productID
        }

        private enum CodingKeys: String, CodingKey {
            case platform
            case receiptData = "receipt_data"
            case productID = "product_id"
        }
    }

    /// The usage of a subscription in its billing period.
    public struct Usage: Hashable, Sendable, Codable {
        public var billingPeriod: String?
        public var tier: Tier
        /// The state of the subscription; `nil` if the server did not send it.
        public var state: State?
        /// The end of the paid period or of the grace period.
        public var until: Timestamp?
        public var usage: Counts

        public init(
            billingPeriod: String?, tier: Tier, state: State? = nil, until: Timestamp? = nil, usage: Counts
        ) {
            self.billingPeriod = billingPeriod
            self.tier = tier
            self.state = state
            self.until = until
            self.usage = usage
        }

        private enum CodingKeys: String, CodingKey {
            case tier, state, until, usage
            case billingPeriod = "billing_period"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            billingPeriod = container.decodeIfReadable(.billingPeriod)
            tier = try container.decode(Tier.self, forKey: .tier)
            state = container.decodeIfReadable(.state)
            until = container.decodeIfReadable(.until)
            usage = container.decodeIfReadable(.usage) ?? Counts()
        }
    }

    /// The usage counters and their limits; `nil` for a value that the server did not send, or for a limit
    /// that does not exist.
    public struct Counts: Hashable, Sendable, Codable {
        public var feedbackCount: Int?
        public var feedbackLimit: Int?
        public var feedbackRemaining: Int?
        public var messageCount: Int?
        public var attachmentBytes: Int?
        public var storageLimitBytes: Int?

        public init(
            feedbackCount: Int? = nil, feedbackLimit: Int? = nil, feedbackRemaining: Int? = nil,
            messageCount: Int? = nil, attachmentBytes: Int? = nil, storageLimitBytes: Int? = nil
        ) {
            self.feedbackCount = feedbackCount
            self.feedbackLimit = feedbackLimit
            self.feedbackRemaining = feedbackRemaining
            self.messageCount = messageCount
            self.attachmentBytes = attachmentBytes
            self.storageLimitBytes = storageLimitBytes
        }

        private enum CodingKeys: String, CodingKey {
            case feedbackCount = "feedback_count"
            case feedbackLimit = "feedback_limit"
            case feedbackRemaining = "feedback_remaining"
            case messageCount = "message_count"
            case attachmentBytes = "attachment_bytes"
            case storageLimitBytes = "storage_limit_bytes"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            feedbackCount = container.decodeIfReadable(.feedbackCount)
            feedbackLimit = container.decodeIfReadable(.feedbackLimit)
            feedbackRemaining = container.decodeIfReadable(.feedbackRemaining)
            messageCount = container.decodeIfReadable(.messageCount)
            attachmentBytes = container.decodeIfReadable(.attachmentBytes)
            storageLimitBytes = container.decodeIfReadable(.storageLimitBytes)
        }
    }
}
