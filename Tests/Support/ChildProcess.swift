import Foundation

/// A real process that a test starts. Its output is stored in files. Releasing the value kills the process.
public typealias ChildProcess = SpawnedProgram

extension SpawnedProgram {
    /// Starts `executable` with the environment of the test process.
    public convenience init(_ executable: String, _ arguments: [String] = [], input: String = "") throws {
        try self.init(
            executable, arguments, environment: ProcessInfo.processInfo.environment, input: input)
    }

    /// Waits for a line of standard output that begins with `prefix`. Returns the text after the prefix.
    public func waitForLine(after prefix: String) async throws -> String {
        var found: String?
        try await eventually("line \(prefix)… (stderr: \(standardError))") {
            found = lines.first { $0.hasPrefix(prefix) }
            return found != nil
        }
        return String((found ?? "").dropFirst(prefix.count))
    }
}
