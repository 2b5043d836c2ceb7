import CutieAPI

extension AccountConfiguration {
    /// The role in which an account uses the API.
    public enum Kind: String, CaseIterable, Sendable {
        /// The user's device of an app.
        case device
        /// A member of the app's team, who answers messages.
        case staff
        /// A user whose identity an institution confirms; receives no messages.
        case identity
    }

    /// The sign-in settings of staff and identity accounts.
    public struct SignIn: Hashable, Sendable {
        /// Stored exactly as configured, because the issuer's metadata must contain the same text; `nil` for
        /// the API's origin.
        public var issuer: String?
        public var clientID = "cutied"
        /// An absolute path; `nil` if the client has no secret.
        public var clientSecretFile: String?
        /// `nil` for the default scopes.
        public var scopes: [String]?

        public init() {}
    }

    /// The conversations whose new messages notify staff.
    public enum Notify: String, CaseIterable, Sendable {
        /// Assigned to the user.
        case mine
        /// Not assigned.
        case unassigned
        case all
    }

    static let signInKeys = ["kind", "issuer", "client_id", "client_secret_file", "scopes", "notify"]

    /// Whether the required keys are present.
    var isComplete: Bool { kind != .device || !appID.isEmpty }

    mutating func readSignIn(_ section: ConfigurationSection, _ environment: Environment)
        throws(ConfigurationError)
    {
        if let value = section["kind"] { kind = try value.word() }
        if kind != .device, let value = section["app_id"] { throw value.error(Self.appIDOfDevices) }
        if let value = section["issuer"] {
            _ = try value.address()
            signIn.issuer = try value.text()
        }
        signIn.clientID = try section["client_id"]?.nonEmptyText() ?? signIn.clientID
        signIn.clientSecretFile = try section["client_secret_file"]?
            .file(home: environment.home, passing: environment.checks.secret)
        if let value = section["scopes"] { signIn.scopes = try value.scopes() }
        if let value = section["notify"] { notify = try value.words() }
    }

    static let appIDOfDevices = "is only for accounts of the kind device; remove it, or remove the kind"
}

extension ConfigurationScalar {
    /// Returns one word, or a list of words, as a set; an empty list gives an empty set.
    func words<Word: RawRepresentable<String> & CaseIterable & Hashable>()
        throws(ConfigurationError) -> Set<Word>
    {
        guard isList else { return [try word()] }
        var words: Set<Word> = []
        for value in try list() { words.insert(try value.word()) }
        return words
    }

    /// Returns OAuth scopes from a list or from text separated by spaces (RFC 6749 §3.3).
    fileprivate func scopes() throws(ConfigurationError) -> [String] {
        var scopes: [String] = []
        if isList {
            for value in try list() { scopes.append(try value.text()) }
        } else {
            scopes = try text().split(separator: " ").map(String.init)
        }
        let isSound = scopes.allSatisfy { scope in
            !scope.isEmpty
                && scope.utf8.allSatisfy {
                    (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
        }
        guard isSound else { throw error("must be a list of scopes, such as [openid, messages:write]") }
        return scopes
    }
}
