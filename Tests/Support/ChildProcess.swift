import Foundation

/// A real process that a test started: its output is kept, and it is killed when the test forgets it.
public typealias ChildProcess = SpawnedProgram

extension SpawnedProgram {
    /// Starts `executable` with the environment of the tests.
    public convenience init(_ executable: String, _ arguments: [String] = [], input: String = "") throws {
        try self.init(
            executable, arguments, environment: ProcessInfo.processInfo.environment, input: input)
    }

    /// Waits for a line on standard output that begins with `prefix` and returns the rest of it.
    public func line(after prefix: String) async throws -> String {
        var found: String?
        try await eventually("line \(prefix)… (stderr: \(standardError))") {
            found = lines.first { $0.hasPrefix(prefix) }
            return found != nil
        }
        return String((found ?? "").dropFirst(prefix.count))
    }
}
