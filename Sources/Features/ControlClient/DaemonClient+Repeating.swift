public import ControlAPI
import FoundationEssentials
import Runtime
public import Varlink

extension DaemonClient {
    /// The time limit for retries after a disconnection. systemd restarts a crashed daemon after 5 seconds.
    private static let restartLimit = Duration.seconds(10)

    /// Calls `method` like `call`, with a retry. If the daemon disconnects before it replies, the call may
    /// already have been accepted, so the client sends the call again with the same idempotency key. If
    /// `method` has no key, the client creates one. If no daemon starts in time, throws
    /// `DaemonUnavailable.Cause.disconnectedInCall`.
    public func callOnce<Method: RepeatableMethod>(_ method: Method) async throws -> Answer<Method.Reply> {
        var method = method
        method.idempotencyKey = method.idempotencyKey ?? UUID().uuidString
        do { return try await call(method) } catch let gone as DaemonUnavailable
            where gone.cause != .notRunning
        {
            let wait = gone.cause == .left && timeout > .zero ? Self.restartLimit : .zero
            return try await withoutRetries.callAgain(method, until: .now + wait)
        }
    }

    private func callAgain<Method: RepeatableMethod>(
        _ method: Method, until deadline: ContinuousClock.Instant
    ) async throws -> Answer<Method.Reply> {
        var delays = ReconnectDelays()
        while ContinuousClock.now < deadline {
            try await EventLoop.shared.sleep(for: delays.nextDelay())
            do { return try await call(method) } catch is DaemonUnavailable {}
        }
        throw DaemonUnavailable(path: path, cause: .disconnectedInCall)
    }
}
