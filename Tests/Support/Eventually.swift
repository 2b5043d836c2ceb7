/// Thrown when a condition a test waits for does not come true.
public struct ConditionTimeout: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until `condition` holds, looking every few milliseconds; throws after `limit`.
/// The limit only bounds a failing test: it is no measure of speed.
public func eventually(
    _ what: String, within limit: Duration = .seconds(60),
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw ConditionTimeout(description: "never: " + what) }
        try await Task.sleep(for: .milliseconds(5))
    }
}
