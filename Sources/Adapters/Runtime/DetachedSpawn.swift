import CLinux
import Glibc

/// A launcher for programs in their own session. Signals for the terminal or for the daemon's process group
/// do not reach the programs.
public enum DetachedSpawn {
    /// The `errno` of a program that could not be started.
    public struct Failure: Error, Hashable, Sendable {
        public let code: Int32
    }

    /// Starts `arguments[0]`, looked up in PATH.
    ///
    /// - Parameters:
    ///   - input: the descriptor for standard input; -1 for empty input.
    ///   - output: the descriptor for standard output and standard error; -1 for the standard error of this
    ///     process.
    /// - Returns: the process ID. The caller must reap the process.
    public static func start(
        _ arguments: [String], environment: [String: String], input: Int32, output: Int32
    ) throws(Failure) -> Int32 {
        let assignments = environment.map { $0.key + "=" + $0.value }
        var pid: pid_t = 0
        let code = withCStrings(arguments) { arguments in
            withCStrings(assignments) { clinux_spawn_detached(arguments, $0, input, output, &pid) }
        }
        guard code == 0 else { throw Failure(code: code) }
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
