public import CutieAPI

/// The bytes of a secret. The description is a placeholder, so that no secret is logged by accident.
public struct Secret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init<Subject>(_ token: Token<Subject>) { bytes = Array(token.rawValue.utf8) }

    /// Returns the secret as a token; `nil` if it is not valid UTF-8.
    public func token<Subject>(_ type: Token<Subject>.Type = Token<Subject>.self) -> Token<Subject>? {
        String(validating: bytes, as: UTF8.self).map(Token<Subject>.init(_:))
    }

    /// The maximum size in bytes; tokens and keys are much shorter.
    public static let sizeLimit = 16_384
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key of a stored secret. Contains the origin, so that a secret is never sent to another API.
public struct SecretName: Hashable, Sendable {
    public var account: String
    /// Scheme, host and port of the API that issued the secret.
    public let origin: String
    public var type: SecretType
    /// The owner of the secret, such as a device ID.
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

    /// The maximum size of a part in bytes; accounts, hosts and IDs are much shorter.
    static let partLimit = 512

    var parts: [String] { [account, origin, type.rawValue, subject] }
}

/// The purpose of a secret.
public struct SecretType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The value of `X-Device-Token`.
    public static let deviceToken = SecretType(rawValue: "device-token")
    /// The attestation key, or its seed for a TPM.
    public static let attestationKey = SecretType(rawValue: "attestation-key")
    /// The bearer token of a signed-in user, with its lifetime.
    public static let accessToken = SecretType(rawValue: "access-token")
    /// The token for refreshing the access token.
    public static let refreshToken = SecretType(rawValue: "refresh-token")
    /// A token of a signed-out user that is not revoked yet; the subject is the outbox item of the
    /// revocation.
    public static let revoking = SecretType(rawValue: "revoking")
    /// The key that encrypts service tokens in the database.
    public static let sealingKey = SecretType(rawValue: "sealing-key")
    /// The key that signs assertions about a user's apps for services.
    public static let assertionKey = SecretType(rawValue: "assertion-key")
    /// The state of a pending browser sign-in.
    public static let signingIn = SecretType(rawValue: "signing-in")
}

/// The storage in use, and its problems.
public struct SecretPlace: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        case secretService = "secret-service"
        /// Encrypted with a systemd credential.
        case sealedFile = "sealed-file"
        /// Protected only by its file mode.
        case plainFile = "plain-file"
    }

    /// The storage of new secrets.
    public let kind: Kind
    public let path: String
    /// The number of secrets that must still be moved from the other storage.
    public let waiting: Int
    /// A message with the problem and the fix; `nil` if there is no problem.
    public let problem: String?
    /// Problems of the file since startup that the user should know about. If the file cannot be read, the
    /// first note is the reason.
    public let notes: [String]

    /// A description for the user, without the problem and the notes.
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

/// The reason why a secret could not be read or stored. The previous secret is unchanged.
public struct SecretFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Temporary: the keyring is locked, not responding or missing.
        case unavailable
        /// The file cannot be read or decrypted; the user must act.
        case unreadable
        /// The file cannot be written.
        case unwritable
        /// The name or the secret exceeds its maximum size.
        case tooLarge
        /// The waiting task was cancelled.
        case cancelled
    }

    public let code: Code
    /// A message with the problem and the fix.
    public let description: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        description = sentence
    }
}
