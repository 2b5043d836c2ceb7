import CCurl
public import Config
import FoundationEssentials
import Glibc

/// The certificates that connections trust, and the machines that they may reach. Connections of one policy
/// are never used for another.
public struct TLSPolicy: Hashable, Sendable {
    /// The minimum TLS version.
    public var minimumVersion: TLSVersion
    /// A PEM file with CAs that are trusted in addition to the system's.
    public var caFile: String?
    /// Pins of the form `sha256//<base64>`, the hash of a public key (SubjectPublicKeyInfo). If there are
    /// any, a certificate of the verified chain must match one of them.
    public var pins: Set<String>
    /// The machines that connections may reach.
    public var allowedHosts: AllowedHosts

    /// The machines that connections may reach, by IP address.
    public enum AllowedHosts: Hashable, Sendable {
        /// All machines: for URLs that the person configured.
        case all
        /// All except this machine and link-local addresses: for URLs that a server sent.
        case others
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

/// The certificates and pins that a policy trusts, parsed once and shared by its connections, and the TLS
/// sessions that were verified with them. A reconnect resumes a session, which saves the server a signature
/// and both sides a round trip.
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
        for pin in policy.pins.sorted() { hashes += try Self.hash(of: pin) }
        guard let trust = ccurl_trust_make(hashes, policy.pins.count) else {
            throw HTTPError(.tls(.handshake), "out of memory for the pins")
        }
        self.trust = trust
        caFile = policy.caFile
    }

    deinit { ccurl_trust_free(trust) }

    /// Makes `easy` verify servers with the current CA files: a changed CA file is read again immediately,
    /// and the CAs of the system once a day, because the daemon may run for months.
    ///
    /// - Parameter isEncrypted: whether the connection uses TLS. If not, the CAs are not read, which saves
    ///   0.1 s, and a TLS handshake would fail.
    /// - Returns: the sessions, which must outlive `easy`.
    func attach(to easy: CURLHandle, isEncrypted: Bool) throws(HTTPError) -> TLSSessions {
        if isEncrypted { try load() }
        guard ccurl_use_trust(easy, trust, sessions.cache) == CURLE_OK else { throw unreadable }
        return sessions
    }

    /// Makes the next connection read the files again.
    func reload() { mustReload = true }

    private func load() throws(HTTPError) {
        let stamp = caFile.flatMap(FileStamp.init)
        let now = SuspendingClock.now
        let isOutdated = loaded.map { $0.stamp != stamp || now - $0.at > Self.lifetime } ?? true
        guard isOutdated || mustReload else { return }
        guard ccurl_trust_load(trust, caFile) == 1 else { throw unreadable }
        mustReload = false
        guard isOutdated else { return }
        loaded = Loaded(stamp: stamp, at: now)
        // Discard the sessions: a resumed session is not verified again, and its CA may no longer be trusted.
        sessions = TLSSessions()
    }

    private static let lifetime: Duration = .seconds(86_400)

    private var unreadable: HTTPError {
        HTTPError(
            .tls(.caFileUnreadable),
            "the CA file \(caFile ?? "of the system") cannot be read or contains no PEM certificate; check tls.ca_file"
        )
    }

    private static func hash(of pin: String) throws(HTTPError) -> [UInt8] {
        let prefix = "sha256//"
        guard pin.hasPrefix(prefix), let hash = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            hash.count == 32
        else {
            throw HTTPError(
                .badRequest, "the pin “\(pin)” does not have the form sha256//<base64 of 32 bytes>")
        }
        return [UInt8](hash)
    }
}

/// The TLS sessions that connections with the same `TrustStore` may resume, by host and port.
final class TLSSessions {
    /// `nil` if memory is exhausted. Then no session is resumed.
    let cache: CURLHandle? = curlIsReady ? ccurl_sessions_make() : nil

    deinit { ccurl_sessions_free(cache) }
}

/// The attributes of a file that show whether its content changed, without reading it.
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
