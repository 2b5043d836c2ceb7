public import CutieAPI
public import Reasons

/// The bytes of a secret. The description is a placeholder, so that logging a secret by mistake does not
/// reveal it.
public struct Secret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init<Subject>(_ token: Token<Subject>) { bytes = Array(token.rawValue.utf8) }

    /// Returns the secret as a token; `nil` if the bytes are not valid UTF-8.
    public func token<Subject>(ofType type: Token<Subject>.Type = Token<Subject>.self) -> Token<Subject>? {
        String(validating: bytes, as: UTF8.self).map(Token<Subject>.init(_:))
    }

    /// The maximum size of a secret in bytes. Tokens and keys are much smaller.
    public static let sizeLimit = 16_384
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The name under which a secret is stored. The name contains the API origin, so that a secret is never sent
/// to another API.
public struct SecretName: Hashable, Sendable {
    public var account: String
    /// The origin (scheme, host and port) of the API that issued the secret.
    public let origin: String
    public var type: SecretType
    /// The ID that the secret belongs to, such as a device ID.
    public var subject: String

    public init(account: String, address: APIAddress, type: SecretType, subject: String) {
        self.init(account: account, origin: address.origin, type: type, subject: subject)
    }

    init(account: String, origin: String, type: SecretType, subject: String) {
        self.account = account
        self.origin = origin
        self.type = type
        self.subject = subject
    }

    /// The maximum size of each part of the name, in bytes. Account names, hosts and IDs are much shorter.
    static let partLimit = 512

    var parts: [String] { [account, origin, type.rawValue, subject] }
}

/// The type of a secret.
public struct SecretType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device token, sent in the header `X-Device-Token`.
    public static let deviceToken = SecretType(rawValue: "device-token")
    /// The software attestation key, or the seed of a TPM key.
    public static let attestationKey = SecretType(rawValue: "attestation-key")
    /// The access token of a signed-in user, with its expiry time.
    public static let accessToken = SecretType(rawValue: "access-token")
    /// The refresh token of a signed-in user.
    public static let refreshToken = SecretType(rawValue: "refresh-token")
    /// A token that the server must still revoke after a sign-out. The subject is the ID of the outbox item
    /// that revokes the token.
    public static let revoking = SecretType(rawValue: "revoking")
    /// The key that encrypts the service tokens in the database.
    public static let sealingKey = SecretType(rawValue: "sealing-key")
    /// The key that signs assertions for services.
    public static let assertionKey = SecretType(rawValue: "assertion-key")
    /// The parameters of a pending browser sign-in.
    public static let signingIn = SecretType(rawValue: "signing-in")
}

/// The storage location of secrets, with the problems of this location.
public struct SecretLocation: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        case secretService = "secret-service"
        /// A file that is encrypted with a systemd credential.
        case sealedFile = "sealed-file"
        /// A file that only its file mode protects.
        case plainFile = "plain-file"
    }

    /// The location in which new secrets are stored.
    public let kind: Kind
    public let path: String
    /// The number of secrets that are still in the other location and will be moved.
    public let waiting: Int
    /// The current problem; `nil` if there is none.
    public let problem: Reason?
    /// The problems of the secrets file since startup. If the file cannot be read, the first note is the
    /// reason.
    public let notes: [Reason]

    /// A description of the location for the user, without the problem and the notes.
    public var description: String {
        let place =
            switch kind {
            case .secretService: "in the secret service"
            case .sealedFile: "in \(path), encrypted with the systemd credential"
            case .plainFile: "in \(path), unencrypted, readable only by this user"
            }
        let other = kind == .secretService ? "file" : "secret service"
        return waiting == 0 ? place : "\(place); \(waiting) still in the \(other)"
    }
}

/// The reason why a secret could not be read or stored. The stored secret is unchanged.
public struct SecretFailure: ReasonedError, Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        /// The keyring is locked, does not respond, or is missing. The problem may be temporary, so the
        /// caller may retry.
        case unavailable
        /// The file cannot be read or decrypted. A retry does not help; the user must repair the file.
        case unreadable
        /// The file cannot be written.
        case unwritable
        /// The name or the secret exceeds its maximum size.
        case tooLarge
        case cancelled
    }

    public let code: Code
    public let reason: Reason

    init(_ code: Code, _ reason: Reason) { (self.code, self.reason) = (code, reason) }
}
