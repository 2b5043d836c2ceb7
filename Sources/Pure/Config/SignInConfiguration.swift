import CutieAPI

extension AccountConfiguration {
    /// Who speaks to the API.
    public enum Kind: String, CaseIterable, Sendable {
        /// A person's device of an app.
        case device
        /// Somebody of the app's makers, who answers.
        case staff
        /// A person whom an institution vouches for; nothing comes by it.
        case identity
    }

    /// By whom and as what a person signs in, for staff and identities.
    public struct SignIn: Hashable, Sendable {
        /// As it is written: the issuer's own metadata must name it letter by letter. nil: the API's origin.
        public var issuer: String?
        public var clientID = "cutied"
        /// An absolute path; nil: the client has no secret.
        public var clientSecretFile: String?
        /// nil: the usual ones.
        public var scopes: [String]?

        public init() {}
    }

    /// The conversations whose users staff want to hear of at once.
    public enum Notify: String, CaseIterable, Sendable {
        /// Assigned to oneself.
        case mine
        /// Assigned to nobody.
        case unassigned
        case all
    }

    static let signInKeys = ["kind", "issuer", "client_id", "client_secret_file", "scopes", "notify"]

    /// Whether it says enough to be an account.
    var isComplete: Bool { kind != .device || !appID.isEmpty }

    mutating func readSignIn(_ section: Section, _ environment: Environment) throws(ConfigurationError) {
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

    static let appIDOfDevices = "is only for accounts of the kind device; take it away, or the kind"
}

extension Value {
    /// One word, or a list of them; an empty list is none.
    func words<Word: RawRepresentable<String> & CaseIterable & Hashable>()
        throws(ConfigurationError) -> Set<Word>
    {
        guard isList else { return [try word()] }
        var words: Set<Word> = []
        for value in try list() { words.insert(try value.word()) }
        return words
    }

    /// Scopes of OAuth, in a list or between blanks (RFC 6749, 3.3).
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
        guard isSound else { throw error("must be scopes, such as [openid, messages:write]") }
        return scopes
    }
}
