import Synchronization

/// A counter for the calls to a fake API.
public final class CallCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    public init() {}

    public func count(of call: String) -> Int { counts.withLock { $0[call] ?? 0 } }

    /// Counts a call and returns the number of previous calls.
    public func record(_ call: String) -> Int {
        counts.withLock {
            $0[call, default: 0] += 1
            return $0[call, default: 1] - 1
        }
    }
}
