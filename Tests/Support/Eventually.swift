import Foundation

/// The time after which a test counts as hanging. Tests must not use this limit to measure speed. The limit
/// is longer in `make chaos`, which runs for many minutes.
public let defaultTimeLimit: Duration =
    ProcessInfo.processInfo.environment["CUTIED_CHAOS"] == nil ? .seconds(180) : .seconds(1200)

/// The error thrown if a condition was not met in time.
public struct ConditionTimeout: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until `condition` returns true.
///
/// Checks the condition every few milliseconds. Slow checks, such as those that start processes, are repeated
/// less often, because the program that the test waits for needs the processor.
public func eventually(
    _ what: String, within limit: Duration = defaultTimeLimit,
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while true {
        let start = ContinuousClock.now
        if try await condition() { return }
        let end = ContinuousClock.now
        guard end < deadline else { throw ConditionTimeout(description: "never: " + what) }
        try await Task.sleep(for: max(.milliseconds(5), min((end - start) * 3, .milliseconds(500))))
    }
}

/// Suspends until the task is cancelled. Then throws an error.
public func waitUntilCancelled() async throws {
    while true { try await Task.sleep(for: defaultTimeLimit) }
}
