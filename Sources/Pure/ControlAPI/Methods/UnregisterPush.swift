/// Takes the address of the push service back.
public struct UnregisterPush: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        /// Kept, but the server does not know yet.
        public var queued: Bool

        public init(queued: Bool) {
            self.queued = queued
        }
    }
}
