/// The configuration of a sandbox.
public struct SandboxOptions: Sendable {
    public var host = "127.0.0.1"
    /// 0 selects any free port.
    public var port = 8787
    /// A file name, or `:memory:`.
    public var database = ":memory:"
    public var tls: TLSFiles?
    /// The served apps. Devices of different apps cannot see each other's data.
    public var appIDs = ["app_sandbox"]
    /// Whether attested devices must sign requests that change something.
    public var requiresAssertions = false
    public var without: Set<SandboxFeature> = []
    /// The interval between two comments on an open event stream.
    public var heartbeat = Duration.seconds(25)
    /// The credentials of the admin. `nil`: generated once and stored in the database.
    public var client: OAuthClient?
    /// The lifetime of an access token in seconds.
    public var accessTokenLifetime = 3600
    public var idTokenAlgorithm = IDTokenAlgorithm.rs256
    /// The lifetime of a device code in seconds.
    public var deviceCodeLifetime = 600
    /// The minimum time between two polls of a device in seconds.
    public var deviceCodeInterval = 5
    /// Receives the mails that a real server would send.
    public var deliver: @Sendable (Mail) -> Void = { _ in }
    /// The number of events that can be replayed. A client that asks for older events receives a `reset`.
    public var retainedEvents = 100_000

    public init() {}

    public struct TLSFiles: Sendable {
        /// A PEM file; the certificate of the server comes first.
        public var certificate: String
        /// A PEM file with the private key of the certificate.
        public var key: String

        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}

/// Features that can be disabled, to test clients against servers without them.
public enum SandboxFeature: String, CaseIterable, Sendable {
    case stream
    case longPoll = "long-poll"
    /// If disabled, idempotency keys are ignored and a repeated request is executed again.
    case idempotency
    /// If disabled, mark-read always marks all messages as read.
    case upTo = "up-to"
    /// If disabled, lists have no entity tag and are always sent in full.
    case etag
    case attestation
    /// If disabled, devices have no token and are identified by their ID only.
    case register
    /// Subscriptions, which only servers for SDKs before 2.0 have.
    case subscription
    /// If disabled, the server publishes no metadata about its sign-in endpoints, like the hosted service.
    case metadata = "oauth-metadata"
    /// If disabled, only OpenID Connect discovery publishes the metadata.
    case serverMetadata = "server-metadata"
    case deviceFlow = "device-flow"
    case browserFlow = "browser-flow"
    case revocation
    /// If disabled, a refresh token can be used once, even if the response was lost.
    case refreshGrace = "refresh-grace"
    /// If disabled, this issuer does not vouch for its users at other services.
    case tokenExchange = "token-exchange"
    /// If disabled, neither this service nor other services can be discovered.
    case discovery
    /// If disabled, apps cannot get tokens for this API as a service.
    case assertions = "jwt-bearer"
}

/// The client ID and secret of an admin.
public struct OAuthClient: Hashable, Sendable {
    public var id: String
    public var secret: String

    public init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }
}

/// A mail that a real server would send.
public struct Mail: Hashable, Sendable {
    public let recipient: String
    public let subject: String
    public let text: String
}
