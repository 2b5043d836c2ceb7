public import ControlAPI
import Runtime
public import Varlink
import VarlinkSocket

/// A client of the daemon's control socket. Each call and each stream uses a separate connection.
///
/// Calls throw the daemon's errors as types (a `ControlFault`), `DaemonUnavailable`, `IncompatibleDaemon`,
/// `UnusableSocket` and `CancellationError`.
public struct DaemonClient: Sendable {
    /// The path of the control socket.
    public var path: String
    /// The maximum time to wait for a daemon that is not running yet.
    public var timeout: Duration
    /// The maximum time for a running daemon to accept a connection.
    public var connectTimeout: Duration

    /// The timeout of a call. The daemon itself waits at most 15 seconds for a response of the API.
    public static let answerTimeout = Duration.seconds(30)
    private static let faults = FaultCatalog(ControlSocket.faults)

    public init(
        path: String, timeout: Duration = .seconds(2), connectTimeout: Duration = .seconds(5)
    ) {
        self.path = path
        self.timeout = timeout
        self.connectTimeout = connectTimeout
    }

    /// A copy of this client that does not wait for a daemon that is not running.
    public var withoutRetries: DaemonClient {
        DaemonClient(path: path, timeout: .zero, connectTimeout: connectTimeout)
    }

    /// Returns a copy of this client that waits at most `timeout` for a daemon that is starting.
    public func withTimeout(_ timeout: Duration) -> DaemonClient {
        DaemonClient(path: path, timeout: timeout, connectTimeout: connectTimeout)
    }

    /// Calls `method` and returns the reply.
    public func call<Method: ControlMethod>(
        _ method: Method, timeout: Duration = answerTimeout
    ) async throws -> Answer<Method.Reply> {
        try await mappingErrors {
            let json = try await openConnection().callRaw(method, timeout: timeout)
            return Answer(try Reply(parametersJSON: json).decodeParameters(as: Method.Reply.self), json: json)
        }
    }

    /// The decision of the caller after each reply: continue or end the stream.
    public enum Next: Sendable { case proceed, stop }

    /// Passes each reply of a stream to `each`, until `each` returns `enough` or the stream ends. Throws the
    /// errors of `call` and of `each`.
    public func follow<Method: ControlMethod>(
        _ method: Method, each: (Answer<Method.Reply>) async throws -> Next
    ) async throws {
        var replies = try await mappingErrors {
            try await openConnection().stream(method).makeAsyncIterator()
        }
        while let answer = try await mappingErrors({
            try await replies.next().map { Answer(try $0.value, json: $0.json) }
        }) {
            if try await each(answer) == .stop { return }
        }
    }

    private func openConnection() async throws -> Client {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try await Client(path: path, faults: Self.faults, timeout: connectTimeout)
            } catch SocketFailure.notRunning {
                guard ContinuousClock.now < deadline else { throw SocketFailure.notRunning(path: path) }
                try await EventLoop.shared.sleep(for: .milliseconds(25))
            }
        }
    }

    /// Converts the errors of `body` to this client's errors.
    private func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch {
            throw DaemonUnavailable(error, path: path) ?? UnusableSocket(error) ?? IncompatibleDaemon(error)
                ?? error
        }
    }
}

/// A reply with its JSON.
public struct Answer<Reply: Sendable>: Sendable {
    public var reply: Reply
    /// The JSON object, exactly as the daemon sent it.
    public var json: [UInt8]

    public init(_ reply: Reply, json: [UInt8]) {
        self.reply = reply
        self.json = json
    }
}
