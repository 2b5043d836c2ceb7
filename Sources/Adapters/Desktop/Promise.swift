import Threads

/// A value that is set once, by the thread or by cancellation, before or after a task awaits it. The first
/// value counts.
final class Promise<Value: Sendable>: Sendable {
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
