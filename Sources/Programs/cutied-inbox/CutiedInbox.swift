import ArgumentParser
import CommandWords
import ControlClient
import FoundationEssentials
import Glibc
import Gtk
import Localization
import Platform
import Runtime
import Synchronization
import Window

/// The entry point of `cutied-inbox`, the window. The program parses the arguments, runs the application, and
/// exits with the exit code of the application.
@main
struct CutiedInbox: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutied-inbox",
        abstract: "Show your conversations in a window.",
        discussion: """
            Each user has one window: a second start shows its conversation there and exits. The window needs \
            the daemon, `cutied run`, and can start it.

            Examples:
              cutied-inbox
              cutied-inbox 'cutie://conversation/conv_42?account=work'
              cutied-inbox --reply conv_42

            Exit codes: 0 shown, 1 too few file descriptors or a lost connection to the display, 64 usage, 65 the link, ID or page is not valid, 69 no display, a display that does not respond, or no font.
            """,
        version: "cutied-inbox \(Product.version)")

    @Argument(
        help: ArgumentHelp(
            "A conversation id, or cutie://conversation/ID, optionally with ?account=NAME and &message=ID.",
            valueName: "conversation"))
    var target: String?

    @Option(help: ArgumentHelp("The account; needed only if several have this id.", valueName: "name"))
    var account: String?

    @Flag(help: "Write a reply in the conversation.")
    var reply = false

    @Flag(help: "Write new feedback.")
    var compose = false

    @Option(
        help: ArgumentHelp(
            "The page to show: \(WindowRequest.pages.joined(separator: ", ")).", valueName: "name"))
    var page: String?

    @MainActor static func main() {
        ProcessLimits.ignoreFileSizeSignal()
        CommandLineSecrets.hideInProcessList()
        // Check the limit of open descriptors first, because GLib terminates the program without a message if
        // it cannot open a descriptor.
        if let shortage = ProcessLimits.findDescriptorShortage(forRequiredCount: 128) {
            terminate(withCode: 1, message: "\(shortage.sentence); \(shortage.advice)")
        }
        MainLoop.becomeMainExecutor()
        do {
            _ = try parseRequest(from: Array(CommandLine.arguments.dropFirst()))
        } catch let unreadable as WindowRequest.InvalidRequest {
            terminate(withCode: 65, message: unreadable.description)
        } catch let argument as UnusableArgument {
            terminate(withCode: 64, message: argument.sentence + "; " + argument.advice)
        } catch {
            exit(withError: error)
        }
        let environment = ProcessInfo.processInfo.environment
        Language.useCatalogues()
        Language.updateCurrent(from: environment)
        guard environment.hasDisplay else {
            terminate(withCode: 69, message: "there is no display; use `cutied ctl` here")
        }
        // GTK waits without a time limit for a display that accepts the connection but does not respond.
        startThread(named: "display") {
            sleep(displayTimeout)
            guard !isDisplayConnected.load(ordering: .acquiring) else { return }
            printError(silentDisplay)
            // Use `_exit`, because `exit` would run the exit handlers of GTK beside the main thread.
            _exit(69)
        }
        guard Application.connectToDisplay() else { terminate(withCode: 69, message: silentDisplay) }
        isDisplayConnected.store(true, ordering: .releasing)
        guard Application.hasFont else {
            terminate(
                withCode: 69,
                message: "no font is installed; install one, for example the package fonts-dejavu-core")
        }
        let path = (try? Paths(environment: environment).controlSocketPath()) ?? ""
        let application = InboxApplication(
            daemon: DaemonClient(path: path, timeout: .milliseconds(300)), environment: environment,
            read: parseRequest)
        Glibc.exit(application.run(arguments: CommandLine.arguments))
    }

    /// The maximum time to connect to the display, in seconds. While connecting, GTK can also wait 25 seconds
    /// for a portal that does not respond.
    private static let displayTimeout: UInt32 = 40
    private static let isDisplayConnected = Atomic(false)
    private static let silentDisplay =
        "the display does not respond; check DISPLAY and WAYLAND_DISPLAY, or use `cutied ctl`"

    private static func terminate(withCode code: Int32, message text: String) -> Never {
        printError(text)
        Glibc.exit(code)
    }

    private static func printError(_ text: String) {
        let line = Array("cutied-inbox: \(TerminalText.singleLine(text))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    private static func parseRequest(from arguments: [String]) throws -> WindowRequest {
        let command = try Self.parse(ArgumentNormalizer.normalize(arguments, forRootCommand: Self.self))
        return try WindowRequest(
            command.target, account: command.account, reply: command.reply, compose: command.compose,
            page: command.page)
    }
}
