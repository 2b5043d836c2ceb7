/// The configuration of a sandbox.
public struct SandboxOptions: Sendable {
    public var host = "127.0.0.1"
    /// The TCP port of the server; 0 selects a free port.
    public var port = 8787
    /// The path of the database file; `:memory:` for a database in memory.
    public var database = ":memory:"
    public var tls: TLSFiles?
    /// The App IDs that the server accepts. Devices of different apps cannot access each other's data.
    public var appIDs = ["app_sandbox"]
    /// Whether attested devices must sign all requests that change data.
    public var requiresAssertions = false
    public var disabledFeatures: Set<SandboxFeature> = []
    /// The interval between heartbeats on an event stream.
    public var heartbeat = Duration.seconds(25)
    /// The client credentials of the admin; if `nil`, the server generates and stores them on first use.
    public var client: OAuthClient?
    /// The lifetime of an access token, in seconds.
    public var accessTokenLifetime = 3600
    public var idTokenAlgorithm = IDTokenAlgorithm.rs256
    /// The lifetime of a device code, in seconds.
    public var deviceCodeLifetime = 600
    /// The minimum polling interval for a device code, in seconds.
    public var deviceCodeInterval = 5
    /// The closure that receives each mail. The sandbox itself sends no mail.
    public var deliver: @Sendable (Mail) -> Void = { _ in }
    /// The number of events that the event log retains. A client that asks for older events receives a
    /// `reset`.
    public var retainedEvents = 100_000

    public init() {}

    public struct TLSFiles: Sendable {
        /// The path of a PEM file with the certificate chain, which starts with the server certificate.
        public var certificate: String
        /// The path of a PEM file with the private key of the server certificate.
        public var key: String

        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}

/// A feature that can be disabled, to test clients against a server without this feature.
public enum SandboxFeature: String, CaseIterable, Sendable {
    case stream
    case longPoll = "long-poll"
    /// If this feature is disabled, the server ignores idempotency keys and executes a repeated request
    /// again.
    case idempotency
    /// If this feature is disabled, a mark-read request marks all messages as read, even if the request
    /// contains `up_to`.
    case upTo = "up-to"
    /// If this feature is disabled, lists have no entity tag, so the server never responds with 304.
    case etag
    case attestation
    /// If this feature is disabled, devices have no token and are authenticated only by the device ID.
    case register
    /// The subscription routes for SDKs before version 2.0.
    case subscription
    /// If this feature is disabled, the server publishes no OAuth metadata, like the hosted service.
    case metadata = "oauth-metadata"
    /// If this feature is disabled, the server publishes its metadata only at the path of OpenID Connect
    /// Discovery.
    case serverMetadata = "server-metadata"
    case deviceFlow = "device-flow"
    case browserFlow = "browser-flow"
    case revocation
    /// If this feature is disabled, a refresh token is invalid after its first use, even if the client never
    /// received the response.
    case refreshGrace = "refresh-grace"
    /// If this feature is disabled, the issuer does not create assertions about its users for other services.
    case tokenExchange = "token-exchange"
    case discovery
    /// If this feature is disabled, the token endpoint does not accept assertions (RFC 7523), so apps cannot
    /// get tokens.
    case assertions = "jwt-bearer"
}

/// The client credentials of an admin.
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
