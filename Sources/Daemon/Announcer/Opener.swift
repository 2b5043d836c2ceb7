import ControlAPI
import CutieAPI
import Logging
import Platform

/// Opens what a pop-up is about: the configured program, else the desktop's handler of `cutie://` links.
final class Opener {
    /// `opener` of the configuration; the link is its last argument.
    var command: [String]?
    /// Whether what was opened is marked read once it is shown.
    var marksRead = true
    private let launcher: Launcher
    private let environment: [String: String]
    private let logger: Logger
    /// Tells the person by pop-up that nothing opened.
    var onFailure: (String) async -> Void = { _ in }

    init(command: [String]?, environment: [String: String], logger: Logger) {
        (self.command, launcher) = (command, Launcher(environment: environment))
        (self.environment, self.logger) = (environment, logger)
    }

    func open(_ conversation: Conversation.ID, account: String, activationToken: String?) async {
        let link = DeepLink.conversation(conversation, account: account).text
        await start((command ?? ["xdg-open"]) + [link], activationToken)
    }

    /// A terminal where the person has said which, else a dialog.
    func compose(_ conversation: Conversation.ID, account: String, activationToken: String?) async {
        // The manager that starts the composer may have another PATH.
        let arguments = [OwnProgram.path ?? Product.name, conversation.rawValue, account]
        if let terminal = environment.value(of: "TERMINAL") {
            return await start(
                [terminal, "-e", "sh", "-c", Self.terminalScript] + arguments, activationToken)
        }
        await start(
            ["sh", "-c", Self.dialogScript] + arguments, activationToken,
            telling: [.exited(code: 69): "set TERMINAL, or install zenity or kdialog, to reply from a pop-up"]
        )
    }

    /// `reasons`: what the person is told of an end, where that says little.
    private func start(
        _ argv: [String], _ activationToken: String?, telling reasons: [Launcher.Outcome: String] = [:]
    ) async {
        var extra: [String: String] = [:]
        extra["XDG_ACTIVATION_TOKEN"] = activationToken
        // The same by the name that programs on X11 look for.
        extra["DESKTOP_STARTUP_ID"] = activationToken
        extra["CUTIED_SOCKET"] = environment["CUTIED_SOCKET"]
        do {
            let outcome = try await launcher.launch(argv, adding: extra)
            if !outcome.isSuccess { await fail(argv, because: "it \(outcome)", telling: reasons[outcome]) }
        } catch {
            await fail(argv, because: "\(error)")
        }
    }

    private func fail(_ argv: [String], because reason: String, telling sentence: String? = nil) async {
        logger.warning("a program did not start", metadata: ["program": "\(argv[0])", "reason": "\(reason)"])
        await onFailure(sentence ?? "\(argv[0]): \(reason)")
    }

    /// What the person typed is kept until it was taken: 75 means queued.
    private static let terminalScript = """
        "$0" ctl show --account "$2" --limit 10 -- "$1"
        printf '\\nYour reply; end it with Ctrl-D on a line of its own.\\n'
        text=$(cat)
        printf %s "$text" | "$0" ctl reply --account "$2" -- "$1" -
        case $? in 0|75) ;; *)
            printf '\\n%s\\n\\nThis was not sent. Enter closes the window.\\n' "$text"; read -r _ </dev/tty ;;
        esac
        """

    private static let dialogScript = """
        if command -v zenity >/dev/null; then
            text=$(zenity --entry --title 'Cuti-E' --text 'Your reply') || exit 0
        elif command -v kdialog >/dev/null; then
            text=$(kdialog --title 'Cuti-E' --inputbox 'Your reply') || exit 0
        else
            exit 69
        fi
        why=$(printf %s "$text" | "$0" ctl reply --account "$2" -- "$1" - 2>&1)
        case $? in 0|75) exit 0 ;; esac
        message="$why

        Not sent: $text"
        if command -v zenity >/dev/null; then zenity --error --no-markup --text "$message"
        else kdialog --error "$message"
        fi
        """
}
