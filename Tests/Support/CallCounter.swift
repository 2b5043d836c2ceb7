import Synchronization

/// A counter of the calls to a fake API.
public final class CallCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    public init() {}

    public func count(of call: String) -> Int { counts.withLock { $0[call] ?? 0 } }

    /// Records a call. Returns the number of previous calls with the same name.
    public func record(_ call: String) -> Int {
        counts.withLock {
            $0[call, default: 0] += 1
            return $0[call, default: 1] - 1
        }
    }
}
