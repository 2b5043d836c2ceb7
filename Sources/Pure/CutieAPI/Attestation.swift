/// How a device shows that it holds the key it once named.
public enum Attestation {
    /// What the key has to sign, and until when.
    public struct Challenge: Hashable, Sendable, Codable {
        public var challenge: String
        public var expiresAt: Timestamp?
        /// Seconds.
        public var expiresIn: Int?

        public init(challenge: String, expiresAt: Timestamp?, expiresIn: Int?) {
            self.challenge = challenge
            self.expiresAt = expiresAt
            self.expiresIn = expiresIn
        }

        enum CodingKeys: String, CodingKey {
            case challenge
            case expiresAt = "expires_at"
            case expiresIn = "expires_in"
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            challenge = try container.decode(String.self, forKey: .challenge)
            expiresAt = container.lenient(.expiresAt)
            expiresIn = container.lenient(.expiresIn)
        }

        /// What is hashed with SHA-256 and signed by the key of that id.
        public func clientData(keyID: String) -> String { challenge + "|" + keyID }
    }

    public struct Submission: RequestBody {
        public var keyID: String
        /// Base64.
        public var attestation: String

        public init(keyID: String, attestation: String) {
            self.keyID = keyID
            self.attestation = attestation
        }

        enum CodingKeys: String, CodingKey {
            case attestation
            case keyID = "key_id"
        }
    }

    public struct Accepted: Hashable, Sendable, Codable {
        public var success: Bool
        public var attestationID: String?
        public var attested: Bool

        public init(success: Bool, attestationID: String?, attested: Bool) {
            self.success = success
            self.attestationID = attestationID
            self.attested = attested
        }

        enum CodingKeys: String, CodingKey {
            case success, attested
            case attestationID = "attestation_id"
        }

        /// What does not say so is not attested.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            attested = container.lenient(.attested) ?? false
            success = container.lenient(.success) ?? attested
            attestationID = container.lenient(.attestationID)
        }
    }
}
