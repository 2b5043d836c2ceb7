import NotificationPolicy
import Runtime

/// The result of a call on the GLib thread, for one waiting task. Only the first result is used: the result
/// of the call, or the cancellation of the task.
final class CallResult<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Result<Value, NotifierError>, Never>)
        case fulfilled(Result<Value, NotifierError>)
        case consumed
    }

    private let state = Locked(State.empty)

    func resumeWhenFulfilled(_ continuation: CheckedContinuation<Result<Value, NotifierError>, Never>) {
        let early: Result<Value, NotifierError>? = state.withLock {
            guard case .fulfilled(let result) = $0 else {
                $0 = .awaited(continuation)
                return nil
            }
            $0 = .consumed
            return result
        }
        if let early { continuation.resume(returning: early) }
    }

    func fulfill(_ result: Result<Value, NotifierError>) {
        let waiting: CheckedContinuation<Result<Value, NotifierError>, Never>? = state.withLock {
            switch $0 {
            case .empty: $0 = .fulfilled(result)
            case .awaited(let continuation):
                $0 = .consumed
                return continuation
            case .fulfilled, .consumed: break
            }
            return nil
        }
        waiting?.resume(returning: result)
    }
}
