import ArgumentParser
import ControlAPI
import ControlClient
import FoundationEssentials
import Glibc
import Indicator
import Localization
import Platform
import Runtime

/// The entry point of `cutied-indicator`, the tray icon.
@main
struct CutiedIndicator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutied-indicator",
        abstract: "Show an icon with the number of unread replies in the tray of the desktop.",
        discussion: """
            cutied-indicator.service starts this program with the graphical session. It ends if the desktop has \
            neither a tray nor a launcher that shows counts.

            Exit codes: 0 ended, 1 too few file descriptors, 64 usage, 69 the path of the control socket is unknown.
            """,
        version: "cutied-indicator \(Product.version)")

    static func main() {
        ProcessLimits.ignoreFileSizeSignal()
        // Check the limit of open descriptors first, because GLib terminates the program without a message if
        // it cannot open a descriptor.
        if let shortage = ProcessLimits.findDescriptorShortage(forRequiredCount: 64) {
            writeLine("cutied-indicator: \(shortage.sentence); \(shortage.advice)", to: STDERR_FILENO)
            Glibc.exit(1)
        }
        let environment = ProcessInfo.processInfo.environment
        Language.useCatalogues()
        Language.updateCurrent(from: environment)
        EventLoop.shared.runProgram {
            do {
                var command = try parseAsRoot()
                if let indicator = command as? CutiedIndicator {
                    try await indicator.runIndicator(in: environment)
                } else {
                    try command.run()
                }
                return 0
            } catch { return report(error) }
        }
    }

    @MainActor private func runIndicator(in environment: [String: String]) async throws {
        let path: String
        do { path = try Paths(environment: environment).controlSocketPath() } catch {
            Self.writeLine("cutied-indicator: \(TerminalText.singleLine("\(error)"))", to: STDERR_FILENO)
            throw ExitCode(69)
        }
        try await TrayIndicator(daemon: DaemonClient(path: path, timeout: .zero), environment: environment)
            .run()
    }

    /// Prints the message of `error` to standard error, or help to standard output. Returns the exit code.
    private static func report(_ error: any Error) -> Int32 {
        let (code, message) = (exitCode(for: error), fullMessage(for: error))
        if !message.isEmpty { writeLine(message, to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO) }
        return code.rawValue
    }

    private static func writeLine(_ line: String, to descriptor: Int32) {
        let line = Array((line + "\n").utf8)
        _ = write(descriptor, line, line.count)
    }
}
