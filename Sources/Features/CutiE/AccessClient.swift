import AccessAPI
import FoundationEssentials
import Glibc
import Runtime
import Varlink
import VarlinkSocket

/// A client of the daemon's socket for apps. Each call and each stream uses a separate connection. Calls
/// throw a `CutiEError` or `CancellationError`.
struct AccessClient: Sendable {
    let path: String
    /// The maximum time to wait for a daemon that is not running, for example during an upgrade.
    var timeout = Duration.seconds(2)

    /// The timeout of calls that do not wait for the user.
    static let answerTimeout = Duration.seconds(30)
    /// The timeout of calls that ask the user. A question is open for two minutes, and processing the answer
    /// takes some time.
    static let questionTimeout = Duration.seconds(180)
    private static let connectTimeout = Duration.seconds(5)
    /// The time limit for retries after a disconnection. systemd restarts a crashed daemon after 5 seconds.
    private static let restartLimit = Duration.seconds(10)
    private static let faults = FaultCatalog(AccessInterface.faults)

    /// Returns the path of the daemon's socket for apps. `variable`: returns the value of an environment
    /// variable.
    static func standardPath(in variable: (String) -> String? = environment) -> String {
        if let chosen = variable("CUTIED_ACCESS_SOCKET"), !chosen.isEmpty { return chosen }
        return (variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())") + "/cutied/access/access.sock"
    }

    /// Returns the values of the environment variables `names` that are set.
    static func variables(_ names: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: names.compactMap { name in environment(name).map { (name, $0) } })
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Calls `method` and returns the reply.
    func call<M: AccessMethod>(_ method: M, timeout: Duration = answerTimeout) async throws -> M.Reply {
        try await mappingErrors { try await connection().call(method, timeout: timeout) }
    }

    /// Calls `method` like `call`, with a retry. If the daemon disconnects before it replies, the call may
    /// already have been accepted, so the client sends the call again with the same idempotency key. If
    /// `method` has no key, the client creates one.
    func callOnce<M: RepeatableMethod>(_ method: M) async throws -> M.Reply {
        var method = method
        method.idempotencyKey = method.idempotencyKey ?? UUID().uuidString
        let deadline = ContinuousClock.now + Self.restartLimit
        var delays = ReconnectDelays()
        return try await mappingErrors {
            let client = try await connection()
            do { return try await client.call(method, timeout: Self.answerTimeout) } catch SocketFailure
                .peerDisconnected
            {}
            while true {
                try await EventLoop.shared.sleep(for: delays.nextDelay())
                do {
                    let client = try await Client(
                        path: path, faults: Self.faults, timeout: Self.connectTimeout)
                    return try await client.call(method, timeout: Self.answerTimeout)
                } catch let failure as SocketFailure {
                    guard failure.isTemporary, ContinuousClock.now < deadline else { throw failure }
                }
            }
        }
    }

    /// Calls `method` and returns its stream of replies.
    func stream<M: AccessMethod>(_ method: M) async throws -> ReplySequence<M>.Iterator {
        try await mappingErrors { try await connection().stream(method).makeAsyncIterator() }
    }

    private func connection() async throws -> Client {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try await Client(path: path, faults: Self.faults, timeout: Self.connectTimeout)
            } catch let failure as SocketFailure {
                guard failure.isTemporary, ContinuousClock.now < deadline else { throw failure }
                try await EventLoop.shared.sleep(for: .milliseconds(25))
            }
        }
    }

    /// Converts the errors of `body` to errors of the library.
    func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw CutiEError.of(error, path: path) }
    }
}

extension SocketFailure {
    /// Whether a call may succeed after the daemon has started.
    var isTemporary: Bool {
        switch self {
        case .notRunning, .peerDisconnected: true
        default: false
        }
    }
}
