public import ControlAPI
import FoundationEssentials
import Runtime
public import Varlink

extension DaemonClient {
    /// systemd restarts a crashed daemon after 5 seconds.
    private static let restartLimit = Duration.seconds(10)

    /// Calls `method` like `call`, with a retry. If the daemon stops before it answers, it may have accepted
    /// the call, so the next daemon is asked again with the same key, which makes the call idempotent. If no
    /// daemon starts, `DaemonUnavailable.Cause.disconnectedInCall` is thrown.
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
            try await EventLoop.shared.sleep(for: delays.next())
            do { return try await call(method) } catch is DaemonUnavailable {}
        }
        throw DaemonUnavailable(path: path, cause: .disconnectedInCall)
    }
}
