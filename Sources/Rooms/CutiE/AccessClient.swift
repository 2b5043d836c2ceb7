import AccessAPI
import FoundationEssentials
import Glibc
import Threads
import Varlink
import VarlinkSocket

/// The daemon at the other end of the socket of apps: a connection for each call and each stream. What its calls throw are a
/// `CutiEError` and `CancellationError`.
struct AccessClient: Sendable {
    let path: String
    /// How long a daemon that is not there is waited for: an upgrade restarts it.
    var patience = Duration.seconds(2)

    /// Longer than any call takes that waits for nobody.
    static let answerTimeout = Duration.seconds(30)
    /// A question is open for two minutes, and what was allowed takes its time.
    static let questionTimeout = Duration.seconds(180)
    private static let connectTimeout = Duration.seconds(5)
    /// A daemon that crashed is started again after 5 s.
    private static let restartLimit = Duration.seconds(10)
    private static let faults = FaultCatalog(AccessInterface.faults)

    /// Where the socket is for this process.
    static func standardPath(in variable: (String) -> String? = environment) -> String {
        if let chosen = variable("CUTIED_ACCESS_SOCKET"), !chosen.isEmpty { return chosen }
        return (variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())") + "/cutied/access/access.sock"
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The reply to `method`.
    func call<M: AccessMethod>(_ method: M, timeout: Duration = answerTimeout) async throws -> M.Reply {
        try await typed { try await connection().call(method, timeout: timeout) }
    }

    /// As `call`, but where the daemon goes before it answers it may have taken the call: whoever starts next is asked
    /// again, with the same key, which takes it once.
    func callOnce<M: RepeatableMethod>(_ method: M) async throws -> M.Reply {
        var method = method
        method.idempotencyKey = UUID().uuidString
        let deadline = ContinuousClock.now + Self.restartLimit
        var delays = ReconnectDelays()
        return try await typed {
            let client = try await connection()
            do { return try await client.call(method, timeout: Self.answerTimeout) } catch SocketFailure
                .peerGone
            {}
            while true {
                try await EventLoop.shared.sleep(for: delays.next())
                do {
                    let client = try await Client(
                        path: path, faults: Self.faults, timeout: Self.connectTimeout)
                    return try await client.call(method, timeout: Self.answerTimeout)
                } catch let failure as SocketFailure {
                    guard failure.mayHeal, ContinuousClock.now < deadline else { throw failure }
                }
            }
        }
    }

    /// The replies to `method`.
    func stream<M: AccessMethod>(_ method: M) async throws -> ReplySequence<M>.Iterator {
        try await typed { try await connection().stream(method).makeAsyncIterator() }
    }

    private func connection() async throws -> Client {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await Client(path: path, faults: Self.faults, timeout: Self.connectTimeout)
            } catch let failure as SocketFailure {
                guard failure.mayHeal, ContinuousClock.now < deadline else { throw failure }
                try await EventLoop.shared.sleep(for: .milliseconds(25))
            }
        }
    }

    /// What `body` throws, as an app is told.
    func typed<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw CutiEError.of(error, path: path) }
    }
}

extension SocketFailure {
    /// Whether a daemon that starts ends it.
    var mayHeal: Bool {
        switch self {
        case .notRunning, .peerGone: true
        default: false
        }
    }
}
