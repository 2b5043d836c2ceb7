import Threads

/// What is asked of the notifier from elsewhere. A cancelled task stops waiting at once, although libnotify's
/// call goes on: a server that hangs must not hold up the end of the program.
extension Notifier {
    /// The server and what it can do; nil where none answers.
    public nonisolated func server() async -> NotificationServer? {
        try? await call { notifier throws(NotifierError) in try notifier.describeServer() }
    }

    /// Shows `popup`, in the place of the pop-up `id` where it is still there. Returns the server's id for it.
    /// A call on its way cannot be taken back: when cancelled, it waits a moment for the id, without which
    /// the next run of the program would show the same again.
    public nonisolated func show(
        _ popup: Popup, replacing id: UInt32? = nil
    ) async throws(NotifierError) -> UInt32 {
        try await call(grace: .milliseconds(500)) { notifier throws(NotifierError) in
            try notifier.present(popup, replacing: id)
        }
    }

    /// Takes a pop-up off the screen, also one that an earlier run of the program has shown.
    public nonisolated func close(_ id: UInt32) async throws(NotifierError) {
        try await call { notifier throws(NotifierError) in try notifier.end(id) }
    }

    /// Takes one that expired out of the list of what was shown, which some servers keep. Where the server that
    /// showed it is gone nothing is done: the next one gives its ids anew.
    public nonisolated func closeExpired(_ id: UInt32) async throws(NotifierError) {
        try await call { notifier throws(NotifierError) in try notifier.endExpired(id) }
    }

    /// No id given before holds any more: another server is there, or the same one anew.
    public nonisolated func forgetAll() async {
        try? await call { notifier throws(NotifierError) in notifier.forget() }
    }

    private nonisolated func call<Value: Sendable>(
        grace: Duration = .zero,
        _ work: @escaping @Sendable (isolated Notifier) throws(NotifierError) -> Value
    ) async throws(NotifierError) -> Value {
        let answer = Answer<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.awaited(by: continuation)
                GLibThread.shared.perform {
                    answer.give(self.assumeIsolated { notifier in Result.of(work, on: notifier) })
                }
            }
        } onCancel: {
            guard grace > .zero else { return answer.give(.failure(.cancelled)) }
            EventLoop.shared.after(grace) { answer.give(.failure(.cancelled)) }
        }
        return try result.get()
    }
}

extension Result where Success: Sendable, Failure == NotifierError {
    fileprivate static func of(
        _ work: (isolated Notifier) throws(NotifierError) -> Success, on notifier: isolated Notifier
    ) -> Self {
        do { return .success(try work(notifier)) } catch { return .failure(error) }
    }
}

/// Given once, by the thread or by cancellation, whichever comes first; before or after it is awaited.
private final class Answer<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Result<Value, NotifierError>, Never>)
        case given(Result<Value, NotifierError>)
        case taken
    }

    private let state = Locked(State.empty)

    func awaited(by continuation: CheckedContinuation<Result<Value, NotifierError>, Never>) {
        let early: Result<Value, NotifierError>? = state.withLock {
            guard case .given(let result) = $0 else {
                $0 = .awaited(continuation)
                return nil
            }
            $0 = .taken
            return result
        }
        if let early { continuation.resume(returning: early) }
    }

    func give(_ result: Result<Value, NotifierError>) {
        let waiting: CheckedContinuation<Result<Value, NotifierError>, Never>? = state.withLock {
            switch $0 {
            case .empty: $0 = .given(result)
            case .awaited(let continuation):
                $0 = .taken
                return continuation
            case .given, .taken: break
            }
            return nil
        }
        waiting?.resume(returning: result)
    }
}
