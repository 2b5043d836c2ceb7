extension Attestation {
    public struct Assertion: RequestBody {
        public var keyID: String
        /// Base64.
        public var assertion: String
        public var clientData: String

        public init(keyID: String, assertion: String, clientData: String) {
            self.keyID = keyID
            self.assertion = assertion
            self.clientData = clientData
        }

        enum CodingKeys: String, CodingKey {
            case assertion
            case keyID = "key_id"
            case clientData = "client_data"
        }
    }

    /// What the service knows of this device's key.
    public struct State: Hashable, Sendable, Codable {
        public var attested: Bool
        public var attestation: Key?

        public init(attested: Bool, attestation: Key?) {
            self.attested = attested
            self.attestation = attestation
        }

        enum CodingKeys: String, CodingKey {
            case attested, attestation
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            attested = try container.decode(Bool.self, forKey: .attested)
            attestation = container.lenient(.attestation)
        }
    }

    public struct Key: Hashable, Sendable, Codable {
        public var keyID: String
        /// Of this project's devices `tpm2` or `software`.
        public var environment: String?
        public var signCount: Int?
        public var createdAt: Timestamp?
        public var lastAssertionAt: Timestamp?

        public init(
            keyID: String, environment: String? = nil, signCount: Int? = nil, createdAt: Timestamp? = nil,
            lastAssertionAt: Timestamp? = nil
        ) {
            self.keyID = keyID
            self.environment = environment
            self.signCount = signCount
            self.createdAt = createdAt
            self.lastAssertionAt = lastAssertionAt
        }

        enum CodingKeys: String, CodingKey {
            case environment
            case keyID = "key_id"
            case signCount = "sign_count"
            case createdAt = "created_at"
            case lastAssertionAt = "last_assertion_at"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            keyID = try container.decode(String.self, forKey: .keyID)
            environment = container.lenient(.environment)
            signCount = container.lenient(.signCount)
            createdAt = container.lenient(.createdAt)
            lastAssertionAt = container.lenient(.lastAssertionAt)
        }
    }
}
