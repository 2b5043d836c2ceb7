public import CutieAPI

/// The bytes of a secret. Printing one prints no secret, so that none gets into a log by accident.
public struct Secret: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
    public init<Subject>(_ token: Token<Subject>) { bytes = Array(token.rawValue.utf8) }

    /// The secret as a token; nil where it is no UTF-8 text.
    public func token<Subject>(_ type: Token<Subject>.Type = Token<Subject>.self) -> Token<Subject>? {
        String(validating: bytes, as: UTF8.self).map(Token<Subject>.init(_:))
    }

    /// Bytes. Tokens and keys are far shorter.
    public static let sizeLimit = 16_384
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a secret is found by. The origin is part of it, so that what one API has issued is never found for
/// another.
public struct SecretName: Hashable, Sendable {
    public var account: String
    /// Scheme, host and port of the API that issued it.
    public let origin: String
    public var type: SecretType
    /// Whose it is, for instance the device id.
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

    /// Bytes of a part. Accounts, hosts and ids are far shorter.
    static let partLimit = 512

    var parts: [String] { [account, origin, type.rawValue, subject] }
}

/// What a secret is for.
public struct SecretType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// What `X-Device-Token` carries.
    public static let deviceToken = SecretType(rawValue: "device-token")
    /// What the attestation key is made from.
    public static let attestationKey = SecretType(rawValue: "attestation-key")
    /// What `Authorization: Bearer` carries for who signed in, with its life.
    public static let accessToken = SecretType(rawValue: "access-token")
    /// What gets another one.
    public static let refreshToken = SecretType(rawValue: "refresh-token")
    /// A token of who signed out, until its issuer knows; the subject is the outbox item that says so.
    public static let revoking = SecretType(rawValue: "revoking")
    /// What the tokens of services in the database are sealed with.
    public static let sealingKey = SecretType(rawValue: "sealing-key")
    /// What signs for a person's apps at services.
    public static let assertionKey = SecretType(rawValue: "assertion-key")
    /// A sign-in in the browser that is under way.
    public static let signingIn = SecretType(rawValue: "signing-in")
}

/// Where secrets are kept now.
public struct SecretPlace: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        case secretService = "secret-service"
        /// Encrypted under a credential of systemd.
        case sealedFile = "sealed-file"
        /// Guarded by its mode alone.
        case plainFile = "plain-file"
    }

    /// Where a new secret goes.
    public let kind: Kind
    /// Of the file.
    public let path: String
    /// How many secrets are still elsewhere, for want of a keyring that answers.
    public let waiting: Int
    /// What is wrong and what to do, where something is.
    public let problem: String?
    /// What happened to the file since the start and a person should know; first, why it cannot be read.
    public let notes: [String]

    /// For the person, without problem and notes.
    public var description: String {
        let place =
            switch kind {
            case .secretService: "in the secret service"
            case .sealedFile: "in \(path), encrypted under the systemd credential"
            case .plainFile: "in \(path), unencrypted, for this user only"
            }
        let other = kind == .secretService ? "file" : "secret service"
        return waiting == 0 ? place : "\(place); \(waiting) still in the \(other)"
    }
}

/// Why a secret could not be read or kept. What was there before is still there.
public struct SecretFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Try again later: the keyring is locked, hangs or is not there.
        case unavailable
        /// Needs a person: the file cannot be read with what there is.
        case unreadable
        /// The system does not let the file be written.
        case unwritable
        /// The name or the secret is larger than anything of the API.
        case tooLarge
        /// The waiting task was cancelled.
        case cancelled
    }

    public let code: Code
    /// What is wrong and what to do.
    public let description: String

    init(_ code: Code, _ sentence: String) {
        self.code = code
        description = sentence
    }
}
