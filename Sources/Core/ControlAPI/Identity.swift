/// Returns the id and the name of the user, as support sees them.
public struct GetUser: ControlMethod {
    public typealias Reply = UserView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// Sets the id and the name of the user. An empty value means none, even if one is configured; `nil` leaves
/// the value unchanged.
public struct SetUser: ControlMethod {
    public typealias Reply = UserView

    public var userId: String?
    public var userName: String?
    public var account: String?

    public init(userId: String? = nil, userName: String? = nil, account: String? = nil) {
        self.userId = userId
        self.userName = userName
        self.account = account
    }
}

extension SetUser {
    /// The limit of an id or a name, in bytes.
    public static let limit = 256

    /// A reason to reject an id or a name.
    public enum Problem: String, Hashable, Sendable {
        case tooLong = "it is longer than 256 bytes"
        case notOneLine = "it contains a line break or another control character"
    }

    /// Returns `text` without surrounding white space. A blank form field becomes an empty value.
    public static func value(of text: String) -> String {
        let end = text.lastIndex { !$0.isWhitespace }
        guard let start = text.firstIndex(where: { !$0.isWhitespace }), let end else { return "" }
        return String(text[start...end])
    }

    /// Returns the reason why the daemon rejects `value`; `nil` if it is accepted.
    public static func problem(of value: String) -> Problem? {
        if value.utf8.count > limit { return .tooLong }
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        return value.unicodeScalars.contains(where: isControl) ? .notOneLine : nil
    }
}

/// Removes the values of `SetUser`, so that the configured values apply again.
public struct ClearUser: ControlMethod {
    public typealias Reply = UserView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// The id and the name of the user, as support sees them.
public struct UserView: Codable, Hashable, Sendable {
    public var account: String
    public var userId: String?
    public var userName: String?

    public init(account: String, userId: String? = nil, userName: String? = nil) {
        self.account = account
        self.userId = userId
        self.userName = userName
    }
}

/// Returns the attestation state of the device.
public struct GetAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// Creates a new key and registers it with the API.
public struct RenewAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// Removes the key from the API and from this machine. `RenewAttestation` creates a new one.
public struct ResetAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// The attestation state of a device.
public struct AttestationView: Codable, Hashable, Sendable {
    public var account: String
    /// The configured mode: `off`, `auto`, `tpm2` or `software`.
    public var mode: String
    /// Whether this machine can store a key of the configured kind.
    public var isSupported: Bool
    public var isAttested: Bool
    /// The storage of the key: `tpm2` or `software`.
    public var environment: String?
    public var keyId: String?
    /// The counter of the last signature.
    public var counter: Int64?
    /// The reason why the device is not attested, or a description of the problem.
    public var reason: String?

    public init(
        account: String, mode: String, isSupported: Bool, isAttested: Bool, environment: String? = nil,
        keyId: String? = nil, counter: Int64? = nil, reason: String? = nil
    ) {
        self.account = account
        self.mode = mode
        self.isSupported = isSupported
        self.isAttested = isAttested
        self.environment = environment
        self.keyId = keyId
        self.counter = counter
        self.reason = reason
    }
}

/// Returns the current storage of tokens and keys.
public struct GetSecretPlace: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        /// `secret-service`, `sealed-file` or `plain-file`.
        public var place: String
        /// The path of the file.
        public var path: String
        /// The number of secrets that are still stored elsewhere.
        public var waiting: Int
        /// A description of the problem and the advice; `nil` if there is none.
        public var problem: String?
        /// Events about the file that the user should know.
        public var notes: [String]

        public init(
            place: String, path: String, waiting: Int, problem: String? = nil, notes: [String] = []
        ) {
            self.place = place
            self.path = path
            self.waiting = waiting
            self.problem = problem
            self.notes = notes
        }
    }
}

/// Returns whether the app makers may count this device as active; sets the value first if `enabled` is
/// given.
public struct Consent: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool
        /// Whether the user ever decided.
        public var decided: Bool

        public init(enabled: Bool, decided: Bool) {
            self.enabled = enabled
            self.decided = decided
        }
    }
}
