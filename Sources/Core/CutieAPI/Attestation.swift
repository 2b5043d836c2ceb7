/// The request bodies and responses of device attestation, in which a device proves that it has a private
/// key.
public enum Attestation {
    /// A challenge that the device must sign.
    public struct Challenge: Hashable, Sendable, Codable {
        public var challenge: String
        public var expiresAt: Timestamp?
        /// The lifetime of the challenge in seconds; `nil` if the server sent no lifetime.
        public var expiresIn: Int?

        public init(challenge: String, expiresAt: Timestamp?, expiresIn: Int?) {
            self.challenge = challenge
            self.expiresAt = expiresAt
            self.expiresIn = expiresIn
        }

        private enum CodingKeys: String, CodingKey {
            case challenge
            case expiresAt = "expires_at"
            case expiresIn = "expires_in"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            challenge = try container.decode(String.self, forKey: .challenge)
            expiresAt = container.decodeIfReadable(.expiresAt)
            expiresIn = container.decodeIfReadable(.expiresIn)
        }

        /// Returns the client data, whose SHA-256 is signed with the key `keyID`.
        public func clientData(keyID: String) -> String { challenge + "|" + keyID }
    }

    /// The body that registers the device's key.
    public struct Submission: RequestBody {
        public var keyID: String
        /// An `AttestationObject` in base64.
        public var attestation: String

        public init(keyID: String, attestation: String) {
            self.keyID = keyID
            self.attestation = attestation
        }

        private enum CodingKeys: String, CodingKey {
            case attestation
            case keyID = "key_id"
        }
    }

    /// The response to a submission.
    public struct Accepted: Hashable, Sendable, Codable {
        public var success: Bool
        public var attestationID: String?
        public var attested: Bool

        public init(success: Bool, attestationID: String?, attested: Bool) {
            self.success = success
            self.attestationID = attestationID
            self.attested = attested
        }

        private enum CodingKeys: String, CodingKey {
            case success, attested
            case attestationID = "attestation_id"
        }

        /// Decodes the response. Treats a missing `attested` as `false`.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            attested = container.decodeIfReadable(.attested) ?? false
            success = container.decodeIfReadable(.success) ?? attested
            attestationID = container.decodeIDIfReadable(.attestationID)
        }
    }

    /// The body with which the device proves again that it has the registered key.
    public struct Assertion: RequestBody {
        public var keyID: String
        /// An `AssertionObject` in base64.
        public var assertion: String
        public var clientData: String

        public init(keyID: String, assertion: String, clientData: String) {
            self.keyID = keyID
            self.assertion = assertion
            self.clientData = clientData
        }

        private enum CodingKeys: String, CodingKey {
            case assertion
            case keyID = "key_id"
            case clientData = "client_data"
        }
    }

    /// The attestation state of this device, as stored at the server.
    public struct State: Hashable, Sendable, Codable {
        public var attested: Bool
        public var attestation: Key?

        public init(attested: Bool, attestation: Key?) {
            self.attested = attested
            self.attestation = attestation
        }

        private enum CodingKeys: String, CodingKey {
            case attested, attestation
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            attested = try container.decodeRequiredFlag(.attested)
            attestation = container.decodeIfReadable(.attestation)
        }
    }

    /// A device key, as registered at the server.
    public struct Key: Hashable, Sendable, Codable {
        public var keyID: String
        /// The storage of the key: `tpm2` or `software` for a key of this daemon.
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

        private enum CodingKeys: String, CodingKey {
            case environment
            case keyID = "key_id"
            case signCount = "sign_count"
            case createdAt = "created_at"
            case lastAssertionAt = "last_assertion_at"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            keyID = try container.decodeRequiredID(.keyID)
            environment = container.decodeIfReadable(.environment)
            signCount = container.decodeIfReadable(.signCount)
            createdAt = container.decodeIfReadable(.createdAt)
            lastAssertionAt = container.decodeIfReadable(.lastAssertionAt)
        }
    }
}
