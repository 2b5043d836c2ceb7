public import ControlAPI
public import Varlink
import VarlinkSocket

/// A client of the daemon's control socket. Each call and each stream uses a separate connection.
///
/// Calls throw the daemon's errors as types (a `ControlFault`), `DaemonUnavailable`, `IncompatibleDaemon`,
/// `UnusableSocket` and `CancellationError`.
public struct DaemonClient: Sendable {
    private let socket: ReconnectingClient

    /// The timeout of a call.
    public static let replyTimeout = ReconnectingClient.replyTimeout

    /// - Parameters:
    ///   - path: the path of the control socket.
    ///   - timeout: the maximum wait for a daemon that is not running yet.
    ///   - connectTimeout: the maximum time in which a running daemon must accept a connection.
    public init(
        path: String, timeout: Duration = .seconds(2), connectTimeout: Duration = .seconds(5)
    ) {
        socket = ReconnectingClient(
            path: path, faults: FaultCatalog(ControlSocket.faults), timeout: timeout,
            connectTimeout: connectTimeout)
    }

    private init(_ socket: ReconnectingClient) { self.socket = socket }

    /// The path of the control socket.
    public var path: String { socket.path }

    /// A copy of this client that does not wait for the daemon to start.
    public var withoutRetries: DaemonClient { DaemonClient(socket.withoutRetries) }

    /// Returns a copy of this client that waits at most `timeout` for a daemon that is starting.
    public func withTimeout(_ timeout: Duration) -> DaemonClient {
        var socket = socket
        socket.timeout = timeout
        return DaemonClient(socket)
    }

    /// Calls `method` and returns the reply.
    public func call<Method: ControlMethod>(
        _ method: Method, timeout: Duration = replyTimeout
    ) async throws -> DaemonReply<Method.Reply> {
        try await mappingErrors { try DaemonReply(await socket.call(method, timeout: timeout)) }
    }

    /// Calls `method` like `call`, but retries idempotently if the daemon disconnects before its reply.
    /// If no daemon starts in time, throws a `DaemonUnavailable` with the cause `disconnectedInCall`. A
    /// client whose `timeout` is zero does not retry.
    public func callIdempotently<Method: RepeatableControlMethod>(
        _ method: Method
    ) async throws -> DaemonReply<Method.Reply> {
        let limit = socket.timeout > .zero ? ReconnectingClient.restartLimit : .zero
        return try await mappingErrors {
            do {
                return try DaemonReply(await socket.callIdempotently(method, retryTimeout: limit))
            } catch is UnknownOutcomeError {
                throw DaemonUnavailable(path: path, cause: .disconnectedInCall)
            }
        }
    }

    /// The decision of the caller after each reply: continue or end the stream.
    public enum Next: Sendable { case proceed, stop }

    /// Passes each reply of a stream to `each`, until `each` returns `stop` or the stream ends. Throws the
    /// errors of `call` and of `each`.
    public func followReplies<Method: ControlMethod>(
        to method: Method, each: (DaemonReply<Method.Reply>) async throws -> Next
    ) async throws {
        var replies = try await mappingErrors {
            try await socket.stream(method).makeAsyncIterator()
        }
        while let answer = try await mappingErrors({
            try await replies.next().map(DaemonReply.init)
        }) {
            if try await each(answer) == .stop { return }
        }
    }

    /// Runs `body` and converts its errors to this client's errors.
    private func mappingErrors<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch {
            throw DaemonUnavailable(error, path: path) ?? UnusableSocket(error) ?? IncompatibleDaemon(error)
                ?? error
        }
    }
}

/// A reply with its JSON.
public struct DaemonReply<Reply: Sendable>: Sendable {
    public var reply: Reply
    /// The JSON object, exactly as the daemon sent it. For a reply that the client has changed, the JSON
    /// of the changed reply.
    public var json: [UInt8]

    public init(_ reply: Reply, json: [UInt8]) {
        self.reply = reply
        self.json = json
    }

    init<M: Method>(_ element: ReplySequence<M>.Element) throws where M.Reply == Reply {
        self.init(try element.value, json: element.json)
    }
}
