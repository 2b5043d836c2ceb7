import FoundationEssentials
import Runtime
public import Varlink

/// A client that uses a separate connection for each call and each stream, and waits for a server that is not
/// running yet. `DaemonClient` and the client of the library for apps use this client.
public struct ReconnectingClient: Sendable {
    /// The path of the server's socket.
    public let path: String
    /// The maximum time to wait for a server that is not running, for example while an upgrade restarts the
    /// server.
    public var timeout: Duration
    /// The maximum time to wait until a running server accepts a connection.
    public let connectTimeout: Duration
    private let faults: FaultCatalog

    /// The timeout of a call. The daemon itself waits at most 15 seconds for a response from the API.
    public static let replyTimeout = Duration.seconds(30)
    /// The time limit for retries after a disconnection. systemd restarts a crashed daemon after 5 seconds.
    public static let restartLimit = Duration.seconds(10)

    /// Creates a client.
    ///
    /// - Parameter faults: the error types that are thrown; other errors are thrown as `UnknownFault`.
    public init(
        path: String, faults: FaultCatalog, timeout: Duration = .seconds(2),
        connectTimeout: Duration = .seconds(5)
    ) {
        (self.path, self.faults) = (path, faults)
        (self.timeout, self.connectTimeout) = (timeout, connectTimeout)
    }

    /// A copy of this client that fails immediately if the server is not running.
    public var withoutRetries: ReconnectingClient {
        ReconnectingClient(path: path, faults: faults, timeout: .zero, connectTimeout: connectTimeout)
    }

    /// Calls `method` and returns the reply. Throws like `Client.call`.
    public func call<M: Method>(
        _ method: M, timeout: Duration = replyTimeout
    ) async throws -> ReplySequence<M>.Element {
        ReplySequence<M>.Element(json: try await connect().callRaw(method, timeout: timeout))
    }

    /// Calls `method` with `more` and returns its stream of replies.
    public func stream<M: Method>(_ method: M) async throws -> ReplySequence<M> {
        try await connect().stream(method)
    }

    /// Calls `method` like `call`, and retries if the server disconnects before its reply. Because the
    /// server may have accepted the call, each retry sends the same idempotency key. If `method` has no
    /// key, a key is created.
    ///
    /// - Parameter restartLimit: the time limit for retries.
    /// - Throws: `UnknownOutcomeError` if the server may have accepted the call.
    public func callIdempotently<M: RepeatableMethod>(
        _ method: M, retryTimeout: Duration = restartLimit
    ) async throws -> ReplySequence<M>.Element {
        var method = method
        method.idempotencyKey = method.idempotencyKey ?? UUID().uuidString
        do { return try await call(method) } catch let failure as SocketFailure where failure.isTemporary {
            if case .notRunning = failure { throw failure }
            guard failure == .peerDisconnected, retryTimeout > .zero else {
                throw UnknownOutcomeError(failure: failure)
            }
            return try await withoutRetries.retryCall(method, until: .now + retryTimeout)
        }
    }

    private func retryCall<M: RepeatableMethod>(
        _ method: M, until deadline: ContinuousClock.Instant
    ) async throws -> ReplySequence<M>.Element {
        var delays = ReconnectDelays()
        while true {
            try await EventLoop.shared.sleep(for: delays.nextDelay())
            do { return try await call(method) } catch let failure as SocketFailure where failure.isTemporary
            {
                guard ContinuousClock.now < deadline else { throw UnknownOutcomeError(failure: failure) }
            }
        }
    }

    private func connect() async throws -> Client {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try await Client(path: path, faults: faults, timeout: connectTimeout)
            } catch SocketFailure.notRunning {
                guard ContinuousClock.now < deadline else { throw SocketFailure.notRunning(path: path) }
                try await EventLoop.shared.sleep(for: .milliseconds(25))
            }
        }
    }
}

/// The error that is thrown if a call fails after the server may have accepted the call.
public struct UnknownOutcomeError: Error {
    public let failure: SocketFailure
}

extension SocketFailure {
    /// Whether a retry may succeed after the server has restarted.
    fileprivate var isTemporary: Bool {
        switch self {
        case .notRunning, .peerDisconnected, .timedOut: true
        default: false
        }
    }
}
