import Control
import Glibc
import Platform

/// The program `cutied-daemon`. The program is separate from `cutied`, because the daemon links libraries
/// that `cutied` does not need.
enum DaemonExecutable {
    /// Replaces this process with `cutied-daemon` (exec), so that the process ID stays the same, as systemd
    /// expects.
    ///
    /// - Throws: a `CommandError` if the program or one of its libraries is missing.
    static func exec(arguments: [String]) throws(CommandError) -> Never {
        let failure = execReturningError(arguments: arguments)
        InheritedSockets.rejectPendingConnections()
        ServiceStatus.sendToServiceManager(
            failure.advice.isEmpty ? failure.sentence : failure.sentence + "; " + failure.advice)
        throw failure
    }

    /// Executes the program. Returns only if the execution fails; the result is the error.
    private static func execReturningError(arguments: [String]) -> CommandError {
        guard let program = Installation.current?.daemon else {
            return CommandError(
                .unreachable, "cutied-daemon is missing beside this program and in ../libexec/cutied",
                advice: "install the package cutied again")
        }
        // Check the libraries first: the dynamic linker would terminate the process with exit code 127,
        // without naming the missing package.
        if let shortage = MissingLibraries(of: program) {
            return CommandError(.unreachable, shortage.sentence, advice: shortage.advice)
        }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &words)
        return CommandError(
            .unreachable, "\(program) does not start: \(String(cString: strerror(errno)))",
            advice: "install the package cutied again")
    }
}
