import Control
import Glibc
import Platform

/// The program of the daemon, `cutied-daemon`. It links the libraries that this program does without.
enum DaemonExecutable {
    /// Replaces this process by `cutied-daemon` with `arguments`. The process id stays, which systemd expects.
    ///
    /// - Throws: a `CommandError` if the program or one of its libraries is missing.
    static func execute(_ arguments: [String]) throws(CommandError) -> Never {
        let failure = replaceProcess(arguments)
        InheritedSockets.rejectPeers()
        ServiceStatus.send(
            failure.advice.isEmpty ? failure.sentence : failure.sentence + "; " + failure.advice)
        throw failure
    }

    /// Returns only if it fails.
    private static func replaceProcess(_ arguments: [String]) -> CommandError {
        guard let program = Installation.current?.daemon else {
            return CommandError(
                .unreachable, "cutied-daemon is missing beside this program and in ../libexec/cutied",
                advice: "install the package cutied again")
        }
        // The dynamic linker would end the process with 127 and name no package.
        if let shortage = LibraryShortage(of: program) {
            return CommandError(.unreachable, shortage.sentence, advice: shortage.advice)
        }
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        execv(program, &words)
        return CommandError(
            .unreachable, "\(program) does not start: \(String(cString: strerror(errno)))",
            advice: "install the package cutied again")
    }
}
