import ArgumentParser
import ControlClient
import Daemon
import FoundationEssentials
import Glibc
import Identity
import Localization
import Platform
import Runtime

/// The entry point of `cutied-daemon`, which links the libraries of the daemon. `cutied` validates the
/// arguments and starts this program.
@main
struct CutiedDaemon: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutied-daemon",
        abstract: "The daemon of cutied; see cutied(1).",
        discussion: "`cutied run`, `cutied doctor` and the daemon itself start this program.",
        subcommands: [RunCommand.self, DoctorCommand.self, NoticeCommand.self])

    static func main() {
        ProcessLimits.ignoreFileSizeSignal()
        let words = Array(CommandLine.arguments.dropFirst())
        if words == [KeyringHelper.argument] { Glibc.exit(KeyringHelper.run()) }
        // `cutied` has already checked the limit of open descriptors, unless this program was started directly.
        if let shortage = ProcessLimits.findDescriptorShortage(forRequiredCount: 48) {
            writeLine("cutied: \(shortage.sentence); \(shortage.advice)", to: STDERR_FILENO)
            Glibc.exit(1)
        }
        // `doctor` is not translated, because scripts read its output.
        if words.first != DoctorCommand.configuration.commandName {
            Language.useCatalogues()
            Language.updateCurrent(from: ProcessInfo.processInfo.environment)
        }
        EventLoop.shared.runProgram {
            do {
                var command = try parseAsRoot(words)
                if var waiting = command as? any AsyncParsableCommand {
                    try await waiting.run()
                } else {
                    try command.run()
                }
                return 0
            } catch { return report(error) }
        }
    }

    /// Prints the message of `error` to standard error, or help to standard output. Returns the exit code.
    private static func report(_ error: any Error) -> Int32 {
        if let failure = error as? StartFailure {
            writeLine("cutied: " + TerminalText.singleLine("\(failure)"), to: STDERR_FILENO)
            return failure.exitCode
        }
        let (code, message) = (exitCode(for: error), fullMessage(for: error))
        if !message.isEmpty { writeLine(message, to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO) }
        return code.rawValue
    }

    private static func writeLine(_ line: String, to descriptor: Int32) {
        var line = line + "\n"
        line.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
    }
}
