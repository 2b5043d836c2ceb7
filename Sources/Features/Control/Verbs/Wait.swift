import ArgumentParser
import ControlAPI
import ControlClient
import Runtime

struct WaitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wait", abstract: "Wait until the daemon is running.",
        discussion: """
            Exits with 1 on timeout. With a timeout of 0, or with --no-wait and no timeout, checks once. With \
            --no-wait and a timeout, fails immediately if the daemon is not running, else waits as usual.

            Examples:
              cutied ctl wait --connected --timeout 30s && cutied ctl inbox
            """)

    @Flag(help: "Also wait until the daemon is connected.")
    var connected = false

    @Option(
        help: .init("Timeout: seconds, or 90s 5m 1h 2d.", valueName: "duration"),
        transform: TimeSpan.init(typed:))
    var timeout: TimeSpan?

    @OptionGroup var account: AccountOption
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let awaited = WaitCondition(connected: connected, account: account.name, mayStart: !options.noWait)
        let limit = timeout ?? (options.noWait ? TimeSpan(seconds: 0) : nil)
        let daemon = session.daemon.withoutRetries
        try session.print(
            try await session.mappingErrors { try await daemon.wait(for: awaited, within: limit) })
    }
}

/// The condition that the command `wait` waits for.
struct WaitCondition: Sendable {
    var connected: Bool
    var account: String?
    /// Whether to wait for a daemon that is not running yet.
    var mayStart = true

    func isMet(by status: GetStatus.Reply) throws -> Bool {
        let state = try status.narrowed(to: account).state
        return !connected || state == .connected
    }

    /// Returns the error for an unmet condition. A limit of 0 s means that the command checked once, without
    /// waiting.
    fileprivate func timeoutError(after limit: TimeSpan = TimeSpan(seconds: 0)) -> CommandError {
        let time = limit.seconds > 0 ? " after \(limit.seconds) s" : ""
        return CommandError(
            .failed, "the daemon is not \(connected ? "connected" : "running")\(time)",
            advice: "see `cutied ctl status`")
    }
}

extension DaemonClient {
    /// The timeout of a single check. A running daemon replies immediately; with the general timeout of
    /// calls, a daemon that hangs would be detected later.
    private static let queryTimeout: Duration = .seconds(5)

    /// Waits until the daemon meets a condition. `limit`: `nil` waits indefinitely; 0 s checks once, for at
    /// most 5 s.
    ///
    /// - Throws: a `CommandError` after a timeout.
    fileprivate func wait(
        for condition: WaitCondition, within limit: TimeSpan?
    ) async throws -> DaemonReply<GetStatus.Reply> {
        guard let limit else { return try await wait(for: condition) }
        let answer =
            limit.seconds == 0
            ? try await EventLoop.shared.withTimeout(Self.queryTimeout) {
                try await checkStatus(against: condition)
            }
            : try await EventLoop.shared.withTimeout(.seconds(limit.seconds)) {
                try await wait(for: condition)
            }
        guard let answer else { throw condition.timeoutError(after: limit) }
        return answer
    }

    /// Queries the status once, and returns the status if it meets the condition.
    ///
    /// - Throws: a `CommandError` if the condition is not met.
    private func checkStatus(against condition: WaitCondition) async throws -> DaemonReply<GetStatus.Reply> {
        do {
            let answer = try await call(GetStatus())
            if try condition.isMet(by: answer.reply) { return answer }
        } catch is DaemonUnavailable {}
        throw condition.timeoutError()
    }

    /// Waits without a timeout. Checks the state after each change that the log reports. Throws if the daemon
    /// is not running and `condition` does not allow a later start.
    private func wait(for condition: WaitCondition) async throws -> DaemonReply<GetStatus.Reply> {
        var found: DaemonReply<GetStatus.Reply>?
        // The watch starts with a snapshot, so the state before the watch is also checked.
        try await watch { update in
            switch update {
            case .entry(let entry) where entry.reply.type.mayChangeState:
                let answer = try await call(GetStatus())
                if try condition.isMet(by: answer.reply) { found = answer }
            case .entry: break
            case .disconnected(let gone):
                if gone.cause == .notRunning, !condition.mayStart { throw condition.timeoutError() }
            }
            return found == nil ? .proceed : .stop
        }
        guard let found else { throw CancellationError() }
        return found
    }
}
