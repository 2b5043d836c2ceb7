import Synchronization

/// How often each call of a stand-in for the API was made.
public final class CallCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    public init() {}

    public func count(of call: String) -> Int { counts.withLock { $0[call] ?? 0 } }

    /// Returns how often it was made before.
    public func note(_ call: String) -> Int {
        counts.withLock {
            $0[call, default: 0] += 1
            return $0[call, default: 1] - 1
        }
    }
}
