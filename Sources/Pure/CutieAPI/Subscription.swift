/// What an app's maker has paid for, as SDKs before 2.0 could ask.
public enum Subscription {
    public struct Tier: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let free = Tier("free")
        public static let starter = Tier("starter")
        public static let pro = Tier("pro")
        public static let business = Tier("business")

        /// Conversations in a billing period; nil is without a limit, or an unknown tier.
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

    public struct Receipt: RequestBody {
        public var platform: String
        /// Base64.
        public var receiptData: String
        public var productID: String

        public init(platform: String, receiptData: String, productID: String) {
            self.platform = platform
            self.receiptData = receiptData
            self.productID = productID
        }

        enum CodingKeys: String, CodingKey {
            case platform
            case receiptData = "receipt_data"
            case productID = "product_id"
        }
    }
}
