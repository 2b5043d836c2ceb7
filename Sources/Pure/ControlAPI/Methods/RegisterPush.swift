/// Names the address under which a push service reaches this device.
public struct RegisterPush: ControlMethod {
    /// 32 to 200 hexadecimal characters.
    public var token: String
    public var account: String?

    public init(token: String, account: String? = nil) {
        self.token = token
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
