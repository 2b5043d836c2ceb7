import Foundation

/// The time after which a test counts as hanging. No test may use this limit to measure speed. The limit is
/// longer for `make chaos`, which runs for many minutes.
public let hangLimit: Duration =
    ProcessInfo.processInfo.environment["CUTIED_CHAOS"] == nil ? .seconds(180) : .seconds(1200)

/// The error for a condition that was not met in time.
public struct ConditionTimeout: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until `condition` is true. Polls every few milliseconds.
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

/// Suspends until the task is cancelled, and then throws.
public func untilCancelled() async throws {
    while true { try await Task.sleep(for: hangLimit) }
}
