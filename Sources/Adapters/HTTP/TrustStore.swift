import CCurl
import FoundationEssentials
import Glibc

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
