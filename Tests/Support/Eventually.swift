import Foundation

/// How long a test waits for what must come before it counts as one that hangs. No measure of speed: nothing in
/// a test may depend on it. `make chaos` strikes for many minutes.
public let hangLimit: Duration =
    ProcessInfo.processInfo.environment["CUTIED_CHAOS"] == nil ? .seconds(180) : .seconds(1200)

/// Thrown when a condition a test waits for does not come true.
public struct ConditionTimeout: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until `condition` holds, looking every few milliseconds.
public func eventually(
    _ what: String, within limit: Duration = hangLimit,
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw ConditionTimeout(description: "never: " + what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Never returns; throws when the task is cancelled.
public func untilCancelled() async throws {
    while true { try await Task.sleep(for: hangLimit) }
}
