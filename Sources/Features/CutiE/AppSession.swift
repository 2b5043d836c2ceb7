import AccessAPI
import FoundationEssentials
import Glibc
import Runtime
import VarlinkSocket

/// The connection of this process to its account in cutied. Methods such as `configure` and `setUserId`
/// return immediately, so the session stores the settings of the app and sends them in the background. Each
/// later call waits until the settings have been sent.
final class AppSession: Sendable {
    let client: AccessClient
    private let state = Locked(SessionState())

    init(socket: String) { client = AccessClient(path: socket) }

    // MARK: - Configuration

    /// Stores a configuration, which replaces the previous configuration.
    ///
    /// - Parameter asksNow: whether to call the daemon now, in the background. If `false`, the first call
    ///   that needs the account calls the daemon.
    func configure(_ request: AppRequest, asksNow: Bool = true) {
        state.withLock { $0.replaceRequest(with: request) }
        if asksNow { inBackground { try await self.ready() } }
    }

    /// Removes the configuration and cancels a pending request, as if `configure` had not been called.
    func reset() { state.withLock { $0.replaceRequest(with: nil) } }

    /// Waits until the app is configured and its settings are sent. Throws the error of the configuration.
    func ready() async throws {
        while true {
            let (attempt, number) = try attempt()
            do { try await attempt.finished() } catch {
                try Task.checkCancellation()
                // Wait again, because another configuration has replaced the awaited configuration.
                if state.withLock({ $0.attempts != number }) { continue }
                throw error
            }
            return try await sendSettings()
        }
    }

    /// Asks the user again after a refusal or an unanswered question. If a question is open, waits for its
    /// answer.
    func askAgain() async throws {
        try state.withLock { state in
            guard state.request != nil else { throw CutiEError.notConfigured }
            if !state.isAsking { state.attempt = nil }
            state.isConfigured = true
        }
        try await ready()
    }

    private func attempt() throws -> (Task<Void, any Error>, number: Int) {
        try state.withLock { state in
            if let attempt = state.attempt { return (attempt, state.attempts) }
            guard let request = state.request, state.isConfigured else { throw CutiEError.notConfigured }
            let number = state.nextAttempt()
            let attempt = Task { try await self.ask(request, attempt: number) }
            state.attempt = attempt
            return (attempt, number)
        }
    }

    private func ask(_ request: AppRequest, attempt number: Int) async throws {
        do {
            let reply = try await client.call(request.call, timeout: AccessClient.questionTimeout)
            let start = try await firstEntry()
            state.withLock { $0.succeed(number, reply, at: start) }
        } catch {
            state.withLock { $0.fail(number, error) }
            throw error
        }
    }

    /// Returns the sequence number of the newest log entry.
    func head() async throws -> Int64 { try await configured { try await firstEntry() }.sequence }

    private func firstEntry() async throws -> Watch.Reply {
        var replies = try await client.stream(Watch())
        return try await client.mappingErrors {
            guard let first = try await replies.next() else {
                throw CutiEError.decodingError("the stream is empty")
            }
            return try first.value
        }
    }

    // MARK: - Settings

    /// Stores a setting. If the app is configured, sends the setting in the background, before the next call.
    func set(_ change: (inout AppSettings) -> Void) {
        let isConfigured = state.withLock { state in
            state.settings.change(change)
            return state.isConfigured
        }
        if isConfigured { inBackground { try await self.ready() } }
    }

    /// Stores the user's answer to a question that the daemon asked.
    func setConsentAnswered(_ isAllowed: Bool) { state.withLock { $0.settings.setAnswered(isAllowed) } }

    /// The app's settings, including unsent settings.
    var settings: AppSettings { state.withLock { $0.settings } }

    /// Sends the changed settings, after earlier settings have been sent, so that an old value cannot
    /// overwrite a newer value.
    private func sendSettings() async throws {
        let sending = state.withLock { state -> Task<Void, Never>? in
            let calls = state.settings.removeUnsent()
            guard !calls.isEmpty else { return state.sending }
            let earlier = state.sending
            let sending = Task {
                await earlier?.value
                for call in calls { await self.send(call) }
            }
            state.sending = sending
            return sending
        }
        try await sending?.finished()
    }

    private func send(_ setting: AppSettings.Call) async {
        do {
            switch setting {
            case .user(let call): _ = try await client.call(call)
            case .version(let call): _ = try await client.call(call)
            case .consent(let call): _ = try await client.call(call)
            }
        } catch CutiEError.networkError {
            // Mark the setting as unsent, so that the next call sends it again and reports the error if
            // cutied is still not reachable.
            state.withLock { $0.settings.retry(setting) }
        } catch { Self.log("a setting was not accepted: \(error)") }
    }

    // MARK: - Calls

    /// Waits until the app is configured, and then sends `call`.
    func ask<M: AccessMethod>(
        _ call: M, timeout: Duration = AccessClient.replyTimeout
    ) async throws -> M.Reply {
        try await configured { try await client.call(call, timeout: timeout) }
    }

    /// Sends `call` like `ask`, with an idempotent retry if the daemon disconnects before its reply.
    func askOnce<M: RepeatableAccessMethod>(_ call: M) async throws -> M.Reply {
        try await configured { try await client.callIdempotently(call) }
    }

    /// Sends `call` like `askOnce`, and waits until the API has received the message. Cancelling the task
    /// ends the wait, but the message stays queued.
    func askUntilSent<M: RepeatableAccessMethod>(
        _ call: M, isQueued: (M.Reply) -> Bool
    ) async throws -> M.Reply {
        var call = call
        call.idempotencyKey = UUID().uuidString
        var delays = ReconnectDelays()
        var isAccepted = false
        while true {
            do {
                let reply = try await askOnce(call)
                guard isQueued(reply) else { return reply }
                isAccepted = true
            } catch CutiEError.networkError(let problem as ConnectionProblem)
                where isAccepted && problem.isTemporary
            {
                // The daemon is restarting and has already stored the message, so wait.
            }
            // The daemon replies only after a few seconds, so this is not a busy loop.
            try await EventLoop.shared.sleep(for: delays.nextDelay())
        }
    }

    /// Waits until the app is configured, and then runs `body`. Detects that the user has revoked the app's
    /// access.
    func configured<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await ready()
        do { return try await body() } catch CutiEError.notConfigured {
            state.withLock { $0.revoke() }
            throw CutiEError.notConfigured
        }
    }

    /// Runs `body` and returns its result for a completion handler.
    func result<Value>(_ body: () async throws -> Value) async -> Result<Value, CutiEError> {
        do { return .success(try await body()) } catch let error as CutiEError {
            return .failure(error)
        } catch {
            return .failure(.networkError(error))
        }
    }

    /// Runs `body` in a separate task and logs its error.
    func inBackground(_ body: @escaping @Sendable () async throws -> Void) {
        Task { do { try await body() } catch { Self.log("\(error)") } }
    }

    /// Writes a line to standard error, for the developers of the app.
    static func log(_ line: String) {
        let bytes = Array("CutiE: \(line)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    // MARK: - Known state

    var isConfigured: Bool { state.withLock { $0.isConfigured } }
    var permission: UNAuthorizationStatus { state.withLock { $0.permission } }
    var unreadCount: Int { state.withLock { $0.unreadCount } }
    func setUnread(_ count: Int) { state.withLock { $0.unreadCount = count } }
    /// The sequence number of the newest log entry when the app was first configured; `nil` before that.
    var start: Int64? { state.withLock { $0.start } }
    var request: AppRequest? { state.withLock { $0.request } }
    var deviceID: String? { state.withLock { $0.deviceID } }
}

extension Task {
    /// Returns the value of the task. Unlike `value`, stops waiting if the caller is cancelled.
    func finished() async throws -> Success {
        let (values, continuation) = AsyncThrowingStream<Success, any Error>.makeStream()
        _ = Task<Void, Never> {
            do {
                continuation.yield(try await self.value)
                continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        for try await value in values { return value }
        throw _Concurrency.CancellationError()
    }
}
