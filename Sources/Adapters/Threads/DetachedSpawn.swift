import CLinux
import Glibc

/// The start of a program in a session of its own, which no terminal and no signal to this process's group reaches.
public enum DetachedSpawn {
    /// The value of `errno` of a program that did not start.
    public struct Failure: Error, Hashable, Sendable {
        public let code: Int32
    }

    /// Looks `arguments[0]` up in PATH, starts it and returns its process ID, which the caller has to reap. `input` and
    /// `output`: the descriptors of the program; -1 for an empty input, and for standard error of this
    /// process as output.
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
