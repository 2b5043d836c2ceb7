import CCurl
public import Config
import FoundationEssentials
import Glibc
import Reasons

/// The TLS requirements of connections, and the hosts that are allowed. Different policies never share
/// connections.
public struct TLSPolicy: Hashable, Sendable {
    public var minimumVersion: TLSVersion
    /// The path of a PEM file with additional trusted CAs; `nil` to trust only the CAs of the system.
    public var caFile: String?
    /// Pinned public keys in the format `sha256//<base64>` (a hash of the SubjectPublicKeyInfo). If the set
    /// is not empty, a certificate in the verified chain must match a pin.
    public var pins: Set<String>
    public var allowedHosts: AllowedHosts

    /// The hosts to which connections are allowed, checked by IP address.
    public enum AllowedHosts: Hashable, Sendable {
        /// All hosts, for URLs that the user configured.
        case all
        /// All hosts except this computer and link-local addresses, for URLs that a server sent.
        case remoteOnly
    }

    public init(
        minimumVersion: TLSVersion = .v1_3, caFile: String? = nil, pins: Set<String> = [],
        allowedHosts: AllowedHosts = .all
    ) {
        self.minimumVersion = minimumVersion
        self.caFile = caFile
        self.pins = pins
        self.allowedHosts = allowedHosts
    }

    /// Creates the policy of an account, including built-in pins.
    public init(of account: AccountConfiguration) {
        self.init(
            minimumVersion: account.tls.minimumVersion == .v1_2 ? .v1_2 : .v1_3, caFile: account.tls.caFile,
            pins: Set(account.pins.map(\.description)))
    }
}

public enum TLSVersion: String, Hashable, Sendable {
    case v1_2 = "1.2"
    case v1_3 = "1.3"
}

/// The parsed CAs and pins of a policy, and the cache of TLS sessions that were verified with them.
/// Resuming a session avoids the certificate exchange and a signature; with TLS 1.2, also a round trip.
final class TrustStore {
    private let caFile: String?
    private let trust: OpaquePointer
    private var loaded: Loaded?
    private var sessions = TLSSessions()
    private var mustReload = false

    private struct Loaded {
        let stamp: FileStamp?
        let at: SuspendingClock.Instant
    }

    init(_ policy: TLSPolicy) throws(HTTPError) {
        var hashes: [UInt8] = []
        for pin in policy.pins.sorted() { hashes += try Self.decodePin(pin) }
        guard let trust = ccurl_trust_make(hashes, policy.pins.count) else {
            throw HTTPError(.tls(.handshake), .text("out of memory for the pins"))
        }
        self.trust = trust
        caFile = policy.caFile
    }

    deinit { ccurl_trust_free(trust) }

    /// Configures `easy` to verify servers with the current CA files. Reloads a changed CA file immediately
    /// and the CAs of the system once a day, because the daemon may run for months.
    ///
    /// - Parameter usesTLS: whether the connection uses TLS. If `false`, does not load the CAs, which
    ///   saves 0.1 s.
    /// - Returns: the session cache, which must outlive `easy`.
    func configure(_ easy: CURLHandle, usesTLS: Bool) throws(HTTPError) -> TLSSessions {
        if usesTLS { try load() }
        guard ccurl_use_trust(easy, trust, sessions.cache) == CURLE_OK else { throw unreadable }
        return sessions
    }

    /// Makes the next encrypted request reload the CA files.
    func scheduleReload() { mustReload = true }

    private func load() throws(HTTPError) {
        let stamp = caFile.flatMap(FileStamp.init)
        let now = SuspendingClock.now
        let isOutdated = loaded.map { $0.stamp != stamp || now - $0.at > Self.lifetime } ?? true
        guard isOutdated || mustReload else { return }
        guard ccurl_trust_load(trust, caFile) == 1 else { throw unreadable }
        mustReload = false
        guard isOutdated else { return }
        loaded = Loaded(stamp: stamp, at: now)
        // Discard the session cache: a resumed session is not verified again, but its CA may no longer be
        // trusted.
        sessions = TLSSessions()
    }

    private static let lifetime: Duration = .seconds(86_400)

    private var unreadable: HTTPError {
        HTTPError(
            .tls(.caFileUnreadable),
            caFile.map { Reason(.caFileUnreadable, ["file": $0]) } ?? Reason(.systemCAFileUnreadable)
        )
    }

    private static func decodePin(_ pin: String) throws(HTTPError) -> [UInt8] {
        let prefix = "sha256//"
        guard pin.hasPrefix(prefix), let hash = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            hash.count == 32
        else {
            throw HTTPError(
                .badRequest, Reason(.pinInvalid, ["pin": pin]))
        }
        return [UInt8](hash)
    }
}

/// A cache of resumable TLS sessions by host and port, for all connections of a `TrustStore`.
final class TLSSessions {
    /// The libcurl session cache; `nil` if it could not be allocated, so that no session is resumed.
    let cache: CURLHandle? = curlIsReady ? ccurl_sessions_make() : nil

    deinit { ccurl_sessions_free(cache) }
}

/// The file attributes that change when the content of a file changes.
private struct FileStamp: Equatable {
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}
