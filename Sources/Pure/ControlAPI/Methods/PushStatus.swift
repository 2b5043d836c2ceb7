/// The addresses of push services, as this device knows them; works offline.
public struct PushStatus: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var registrations: [PushRegistrationView]

        public init(registrations: [PushRegistrationView]) {
            self.registrations = registrations
        }
    }
}
