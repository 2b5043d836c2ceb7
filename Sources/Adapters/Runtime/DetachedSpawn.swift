import CLinux
import Glibc

/// Functions that start programs in a new session, so that signals from the terminal or to the daemon's
/// process group do not reach the programs.
public enum DetachedSpawn {
    /// The error if a program cannot be started. `code` is the `errno`.
    public struct SpawnFailure: Error, Hashable, Sendable {
        public let code: Int32
    }

    /// Starts `arguments[0]`, looked up in PATH.
    ///
    /// - Parameters:
    ///   - input: the descriptor for standard input; -1 for empty input.
    ///   - output: the descriptor for standard output and standard error; -1 to use the standard error of
    ///     this process for both.
    /// - Returns: the process ID. The caller must reap the process.
    public static func start(
        _ arguments: [String], environment: [String: String], input: Int32, output: Int32
    ) throws(SpawnFailure) -> Int32 {
        let assignments = environment.map { $0.key + "=" + $0.value }
        var pid: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(assignments) { clinux_spawn_detached(arguments, $0, input, output, &pid) }
        }
        guard code == 0 else { throw SpawnFailure(code: code) }
        return pid
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
    ) -> Result {
        var pointers = strings.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        return pointers.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress)) }
    }
}
