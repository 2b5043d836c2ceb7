import AccessAPI
import Glibc
import Varlink
import VarlinkSocket

/// A client of the daemon's socket for apps. Each call and each stream uses a separate connection. Calls
/// throw a `CutiEError` or `CancellationError`.
struct AccessClient: Sendable {
    let socket: ReconnectingClient

    /// The timeout of calls that do not wait for the user.
    static let replyTimeout = ReconnectingClient.replyTimeout
    /// The timeout of calls that ask the user. A question is open for two minutes, and processing the answer
    /// takes some time.
    static let questionTimeout = Duration.seconds(180)

    init(path: String) {
        socket = ReconnectingClient(path: path, faults: FaultCatalog(AccessInterface.faults))
    }

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
    func call<M: AccessMethod>(_ method: M, timeout: Duration = replyTimeout) async throws -> M.Reply {
        try await mappingErrors { try await socket.call(method, timeout: timeout).value }
    }

    /// Calls `method` like `call`, with an idempotent retry if the daemon disconnects before its reply.
    func callIdempotently<M: RepeatableAccessMethod>(_ method: M) async throws -> M.Reply {
        try await mappingErrors {
            do { return try await socket.callIdempotently(method).value } catch let error
                as UnknownOutcomeError
            {
                throw error.failure
            }
        }
    }

    /// Calls `method` and returns its stream of replies.
    func stream<M: AccessMethod>(_ method: M) async throws -> ReplySequence<M>.Iterator {
        try await mappingErrors { try await socket.stream(method).makeAsyncIterator() }
    }

    /// Converts the errors of `body` to errors of the library.
    func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw CutiEError.of(error, path: socket.path) }
    }
}
