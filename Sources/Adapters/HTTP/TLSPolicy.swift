import CCurl
public import Config
import FoundationEssentials
import Glibc

/// Which certificates connections trust, and which machines they reach. Connections made under one policy are never
/// used for another.
public struct TLSPolicy: Hashable, Sendable {
    /// The oldest protocol version that is spoken.
    public var minimumVersion: TLSVersion
    /// A PEM file with CAs that are trusted on top of the system's.
    public var caFile: String?
    /// `sha256//<base64>` of public keys (SubjectPublicKeyInfo); where there are any, one certificate of
    /// the verified chain must have one of them.
    public var pins: Set<String>
    /// Which machines may be reached.
    public var reach: Reach

    /// The machines that a connection may go to, by the address that it is made to.
    public enum Reach: Hashable, Sendable {
        /// All: for URLs that the person configured.
        case all
        /// Other machines than this one and its link: for URLs that a server gave.
        case others
    }

    public init(
        minimumVersion: TLSVersion = .v1_3, caFile: String? = nil, pins: Set<String> = [], reach: Reach = .all
    ) {
        self.minimumVersion = minimumVersion
        self.caFile = caFile
        self.pins = pins
        self.reach = reach
    }

    /// What the configuration of an account asks for, with the pins that are built in.
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

/// What a policy believes, parsed once and shared by its connections.
final class TrustStore {
    private let caFile: String?
    private let trust: OpaquePointer
    private var loaded: Loaded?

    private struct Loaded {
        let stamp: FileStamp?
        let at: SuspendingClock.Instant
    }

    init(_ policy: TLSPolicy) throws(HTTPError) {
        var hashes: [UInt8] = []
        for pin in policy.pins.sorted() { hashes += try Self.hash(of: pin) }
        guard let trust = ccurl_trust_make(hashes, policy.pins.count) else {
            throw HTTPError(.tls(.handshake), "there is no memory for the pins")
        }
        self.trust = trust
        caFile = policy.caFile
    }

    deinit { ccurl_trust_free(trust) }

    /// Lets `easy` verify with what the files say now: a CA file that changed is read again, and the
    /// system's CAs once a day, because a daemon lives for months. What is in the clear needs none of them
    /// (`isEncrypted` false), and reading all of them costs a tenth of a second; it fails in a handshake.
    func attach(to easy: CURLHandle, isEncrypted: Bool) throws(HTTPError) {
        if isEncrypted { try load() }
        guard ccurl_use_trust(easy, trust) == CURLE_OK else { throw unreadable }
    }

    private func load() throws(HTTPError) {
        let stamp = caFile.flatMap(FileStamp.init)
        let now = SuspendingClock.now
        if loaded == nil || loaded?.stamp != stamp || now - (loaded?.at ?? now) > .seconds(86_400) {
            guard ccurl_trust_load(trust, caFile) == 1 else { throw unreadable }
            loaded = Loaded(stamp: stamp, at: now)
        }
    }

    private var unreadable: HTTPError {
        HTTPError(
            .tls(.caFileUnreadable),
            "the CA file \(caFile ?? "of the system") cannot be read or holds no PEM certificate; check tls.ca_file"
        )
    }

    private static func hash(of pin: String) throws(HTTPError) -> [UInt8] {
        let prefix = "sha256//"
        guard pin.hasPrefix(prefix), let hash = Data(base64Encoded: String(pin.dropFirst(prefix.count))),
            hash.count == 32
        else { throw HTTPError(.badRequest, "the pin “\(pin)” is not sha256//<base64 of 32 bytes>") }
        return [UInt8](hash)
    }
}

/// Tells one content of a file from the next without reading it.
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
