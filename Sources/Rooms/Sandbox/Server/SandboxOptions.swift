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
    /// Seconds.
    public var accessTokenLifetime = 3600
    public var idTokenAlgorithm = IDTokenAlgorithm.rs256
    /// Seconds that a device's code is good.
    public var deviceCodeLifetime = 600
    /// Seconds that a device has to wait between two questions.
    public var deviceCodeInterval = 5
    /// Takes a mail that a real server would send.
    public var deliver: @Sendable (Mail) -> Void = { _ in }
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
    /// No document tells of the endpoints for signing in, as at the hosted service.
    case metadata = "oauth-metadata"
    /// Only OpenID Connect's document tells of them.
    case serverMetadata = "server-metadata"
    case deviceFlow = "device-flow"
    case browserFlow = "browser-flow"
    case revocation
    /// A refresh token is good once, even where the answer to it was lost.
    case refreshGrace = "refresh-grace"
    /// No service gets to know from here who signed in.
    case tokenExchange = "token-exchange"
    /// Neither it nor other services can be found.
    case discovery
    /// It is no service: no tokens for apps.
    case assertions = "jwt-bearer"
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

/// What a real server would send by mail.
public struct Mail: Hashable, Sendable {
    public let recipient: String
    public let subject: String
    public let text: String
}
