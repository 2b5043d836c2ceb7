/// Takes what a push service brought: fetches what it tells of.
public struct DeliverPush: ControlMethod {
    /// JSON, at most 64 KiB.
    public var payload: String
    public var account: String?

    public init(payload: String, account: String? = nil) {
        self.payload = payload
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var conversationId: String?
        /// Messages that were not here before.
        public var arrived: Int
        /// The API could not be asked yet; what is new is fetched with the next connection.
        public var queued: Bool

        public init(conversationId: String? = nil, arrived: Int, queued: Bool) {
            self.conversationId = conversationId
            self.arrived = arrived
            self.queued = queued
        }
    }
}
