import CutieAPI
import Reasons

extension AccountConfiguration {
    /// The role in which an account uses the API.
    public enum Kind: String, CaseIterable, Sendable {
        /// The user's device for one app.
        case device
        /// A member of the app's support staff, who answers messages.
        case staff
        /// A user who signs in at an institution. The account receives no messages.
        case identity
    }

    /// The sign-in settings of staff and identity accounts.
    public struct SignIn: Hashable, Sendable {
        /// The issuer's URL; `nil` for the API's origin. The URL is stored exactly as configured, because it
        /// must be identical to the URL in the issuer's metadata.
        public var issuer: String?
        public var clientID = "cutied"
        /// The absolute path of the file with the client secret; `nil` if the client has no secret.
        public var clientSecretFile: String?
        /// The scopes to request; `nil` for the default scopes.
        public var scopes: [String]?

        public init() {}
    }

    /// The conversations for which support staff get notifications.
    public enum NotificationScope: String, CaseIterable, Sendable {
        /// Conversations assigned to the user.
        case mine
        /// Conversations without an assignee.
        case unassigned
        case all
    }

    static let signInKeys = ["kind", "issuer", "client_id", "client_secret_file", "scopes", "notify"]

    /// Whether all required keys are present: a device account requires an App ID.
    var isComplete: Bool { kind != .device || !appID.isEmpty }

    mutating func readSignInSettings(from section: ConfigurationSection, environment: Environment)
        throws(ConfigurationError)
    {
        if let value = section["kind"] { kind = try value.parseEnumValue() }
        if kind != .device, let value = section["app_id"] { throw value.makeError(code: .appIDOfDevices) }
        if let value = section["issuer"] {
            _ = try value.parseAddress()
            signIn.issuer = try value.parseText()
        }
        signIn.clientID = try section["client_id"]?.parseNonEmptyText() ?? signIn.clientID
        signIn.clientSecretFile = try section["client_secret_file"]?
            .parseFilePath(home: environment.home, checkedBy: environment.checks.secret)
        if let value = section["scopes"] { signIn.scopes = try value.parseScopes() }
        if let value = section["notify"] { notify = try value.parseEnumValues() }
    }
}

extension ConfigurationScalar {
    /// Parses a single value or a list of values; returns an empty set for an empty list.
    func parseEnumValues<Word: RawRepresentable<String> & CaseIterable & Hashable>()
        throws(ConfigurationError) -> Set<Word>
    {
        guard isList else { return [try parseEnumValue()] }
        var words: Set<Word> = []
        for value in try parseList() { words.insert(try value.parseEnumValue()) }
        return words
    }

    /// Parses OAuth scopes from a list, or from a string with names separated by spaces (RFC 6749 §3.3).
    fileprivate func parseScopes() throws(ConfigurationError) -> [String] {
        var scopes: [String] = []
        if isList {
            for value in try parseList() { scopes.append(try value.parseText()) }
        } else {
            scopes = try parseText().split(separator: " ").map(String.init)
        }
        let isSound = scopes.allSatisfy { scope in
            !scope.isEmpty
                && scope.utf8.allSatisfy {
                    (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
        guard isSound else { throw makeError(code: .scopesRequired) }
        return scopes
    }
}
