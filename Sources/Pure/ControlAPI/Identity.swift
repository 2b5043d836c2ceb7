/// Returns the id and the name of the person, as support sees them.
public struct GetUser: ControlMethod {
    public typealias Reply = UserView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// Sets the id and the name of the person: an empty one removes the value, and `nil` leaves it unchanged.
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
    /// Bytes of an id or a name.
    public static let limit = 256

    /// A reason to refuse an id or a name.
    public enum Problem: String, Hashable, Sendable {
        case tooLong = "it is longer than 256 bytes"
        case notOneLine = "it contains a line break or another control character"
    }

    /// Returns `text` without the white space around it. A blank field of a form is an empty value.
    public static func value(of text: String) -> String {
        let end = text.lastIndex { !$0.isWhitespace }
        guard let start = text.firstIndex(where: { !$0.isWhitespace }), let end else { return "" }
        return String(text[start...end])
    }

    /// Returns the reason why the daemon refuses `value`; `nil` if it accepts the value.
    public static func problem(of value: String) -> Problem? {
        if value.utf8.count > limit { return .tooLong }
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        return value.unicodeScalars.contains(where: isControl) ? .notOneLine : nil
    }
}

/// Removes the values of `SetUser`, so that the configured ones are in use again.
public struct ClearUser: ControlMethod {
    public typealias Reply = UserView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// The id and the name of the person, as support sees them.
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

/// Whether the device has shown the API a key.
public struct GetAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// Makes a new key and shows it to the API now.
public struct RenewAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// The API and this machine forget the key; there is none until `RenewAttestation`.
public struct ResetAttestation: ControlMethod {
    public typealias Reply = AttestationView

    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }
}

/// How a device stands with its attestation.
public struct AttestationView: Codable, Hashable, Sendable {
    public var account: String
    /// The configured one: `off`, `auto`, `tpm2` or `software`.
    public var mode: String
    /// This machine has a key of that kind.
    public var isSupported: Bool
    public var isAttested: Bool
    /// Where the key is: `tpm2` or `software`.
    public var environment: String?
    public var keyId: String?
    /// The last one that was signed with.
    public var counter: Int64?
    /// Why it is not attested, or what does not work.
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

/// Where tokens and keys are kept now.
public struct GetSecretPlace: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        /// `secret-service`, `sealed-file` or `plain-file`.
        public var place: String
        /// Of the file.
        public var path: String
        /// How many are still elsewhere.
        public var waiting: Int
        /// What is wrong and what to do.
        public var problem: String?
        /// What happened to the file and a person should know.
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

/// Whether the apps' makers may count this device as in use: sets it where `enabled` is given.
public struct Consent: ControlMethod {
    public var enabled: Bool?

    public init(enabled: Bool? = nil) {
        self.enabled = enabled
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var enabled: Bool
        /// Whether the person ever said so.
        public var decided: Bool

        public init(enabled: Bool, decided: Bool) {
            self.enabled = enabled
            self.decided = decided
        }
    }
}
