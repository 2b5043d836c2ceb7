/// What the app's maker has paid for and used, as the service tells it; offline, as it told it last.
public struct GetSubscription: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var subscription: SubscriptionView
        /// Unix milliseconds.
        public var fetchedAt: Int64
        /// Why it is not of now.
        public var reason: String?

        public init(subscription: SubscriptionView, fetchedAt: Int64, reason: String? = nil) {
            self.subscription = subscription
            self.fetchedAt = fetchedAt
            self.reason = reason
        }
    }
}
