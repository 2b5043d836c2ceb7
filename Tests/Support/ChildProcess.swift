import Foundation

/// A real process started by a test. Its output is stored, and the process is killed when the value is
/// released.
public typealias ChildProcess = SpawnedProgram

extension SpawnedProgram {
    /// Starts `executable` with the environment of the tests.
    public convenience init(_ executable: String, _ arguments: [String] = [], input: String = "") throws {
        try self.init(
            executable, arguments, environment: ProcessInfo.processInfo.environment, input: input)
    }

    /// Waits for a line of standard output that begins with `prefix` and returns the rest of the line.
    public func line(after prefix: String) async throws -> String {
        var found: String?
        try await eventually("line \(prefix)… (stderr: \(standardError))") {
            found = lines.first { $0.hasPrefix(prefix) }
            return found != nil
        }
        return String((found ?? "").dropFirst(prefix.count))
    }
}
