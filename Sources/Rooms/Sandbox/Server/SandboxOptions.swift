/// How a sandbox is to be served.
public struct SandboxOptions: Sendable {
    public var host = "127.0.0.1"
    /// 0 is any free one.
    public var port = 8787
    /// A file, or `:memory:`.
    public var database = ":memory:"
    public var tls: TLSFiles?
    /// Those that are served; none of their devices sees another's.
    public var appIDs = ["app_sandbox"]
    /// An attested device has to sign what changes something.
    public var requiresAssertions = false
    public var without: Set<SandboxFeature> = []
    /// Between two comments on an open event stream.
    public var heartbeat = Duration.seconds(25)
    /// The admin's; made up and kept in the database where nil.
    public var client: OAuthClient?
    /// So many of the newest events can be replayed; who asks for older ones is told to start again.
    public var keptEvents = 100_000

    public init() {}

    public struct TLSFiles: Sendable {
        /// PEM, the server's certificate first.
        public var certificate: String
        /// PEM.
        public var key: String

        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}

/// What a server may lack, so that clients can be tried without it.
public enum SandboxFeature: String, CaseIterable, Sendable {
    case stream
    case longPoll = "long-poll"
    /// Keys are not looked at: a repeat is done again.
    case idempotency
    /// A mark-read covers everything, whatever bound it names.
    case upTo = "up-to"
    /// Lists are always given whole.
    case etag
    case attestation
    /// No device has a token: its id is enough.
    case register
    /// What only services for SDKs before 2.0 have.
    case subscription
}

/// What an admin's client proves itself with.
public struct OAuthClient: Hashable, Sendable {
    public var id: String
    public var secret: String

    public init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }
}
