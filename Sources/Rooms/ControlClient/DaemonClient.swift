public import ControlAPI
import Threads
public import Varlink
import VarlinkSocket

/// The daemon at the other end of its control socket: a connection for each call and each stream.
///
/// What its calls throw: the daemon's own errors as their types (a `ControlFault`), `DaemonGone`,
/// `IncompatibleDaemon`, `UnusableSocket` and `CancellationError`.
public struct DaemonClient: Sendable {
    /// Of its socket.
    public var path: String
    /// How long a daemon that is not there yet is waited for.
    public var patience: Duration
    /// How long one that is there may take to accept a connection.
    public var connectTimeout: Duration

    /// Longer than any call takes: the daemon itself gives up on the API after 5 s.
    public static let answerTimeout = Duration.seconds(30)
    private static let faults = FaultCatalog(ControlSocket.faults)

    public init(
        path: String, patience: Duration = .seconds(2), connectTimeout: Duration = .seconds(5)
    ) {
        self.path = path
        self.patience = patience
        self.connectTimeout = connectTimeout
    }

    /// The same daemon, for which nobody waits.
    public var impatient: DaemonClient {
        DaemonClient(path: path, patience: .zero, connectTimeout: connectTimeout)
    }

    /// The reply to `method`, which may take `timeout`.
    public func call<Method: ControlMethod>(
        _ method: Method, timeout: Duration = answerTimeout
    ) async throws -> Answer<Method.Reply> {
        try await typed {
            let json = try await connection().callRaw(method, timeout: timeout)
            return Answer(try Reply(parametersJSON: json).parameters(as: Method.Reply.self), json: json)
        }
    }

    /// Whether a stream goes on.
    public enum Next: Sendable { case goOn, enough }

    /// Hands each reply of a stream to `each`, until that has enough or the stream ends. Throws as `call`, and
    /// what `each` throws.
    public func follow<Method: ControlMethod>(
        _ method: Method, each: (Answer<Method.Reply>) async throws -> Next
    ) async throws {
        var replies = try await typed { try await connection().stream(method).makeAsyncIterator() }
        while let answer = try await typed({
            try await replies.next().map { Answer(try $0.value, json: $0.json) }
        }) {
            if try await each(answer) == .enough { return }
        }
    }

    private func connection() async throws -> Client {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await Client(path: path, faults: Self.faults, timeout: connectTimeout)
            } catch SocketFailure.notRunning {
                guard ContinuousClock.now < deadline else { throw SocketFailure.notRunning(path: path) }
                try await EventLoop.shared.sleep(for: .milliseconds(25))
            }
        }
    }

    /// What `body` throws, as this client's errors.
    private func typed<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch {
            throw DaemonGone(error, path: path) ?? UnusableSocket(error) ?? IncompatibleDaemon(error)
                ?? error
        }
    }
}

/// A reply, and the JSON that the daemon sent.
public struct Answer<Reply: Sendable>: Sendable {
    public var reply: Reply
    /// An object, exactly as it came.
    public var json: [UInt8]

    public init(_ reply: Reply, json: [UInt8]) {
        self.reply = reply
        self.json = json
    }
}
