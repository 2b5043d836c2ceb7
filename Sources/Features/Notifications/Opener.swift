package import CutieAPI
import Localization
package import Logging
import Platform
import Reasons

/// Opens the subject of a notification: with the configured program, otherwise in the window, otherwise with
/// the desktop's handler for `cutie://` links.
package final class Opener {
    /// The `opener` of the configuration; `nil` if it is not set. The link is appended as the last argument.
    package var command: [String]?
    /// Whether a conversation is marked as read after it was opened.
    package var marksRead = true
    private let launcher: Launcher
    private let environment: [String: String]
    private let logger: Logger
    private let screen: NotificationScreen

    package init(
        command: [String]?, environment: [String: String], screen: NotificationScreen, logger: Logger
    ) {
        (self.command, launcher) = (command, Launcher(environment: environment))
        self.screen = screen
        (self.environment, self.logger) = (environment, logger)
    }

    /// Opens `link`. Returns whether a program started.
    @discardableResult
    package func open(_ link: DeepLink, activationToken: String?) async -> Bool {
        if command == nil, await showInbox(arguments: [link.text], activationToken: activationToken) {
            return true
        }
        return await startProgram(
            (command ?? ["xdg-open"]) + [link.text], activationToken: activationToken,
            failureTitle: Self.failureTitle(for: link))
    }

    /// Shows the list of conversations. Returns whether the window started; if not, a notification names the
    /// command to use.
    package func openInbox() async -> Bool {
        if await showInbox(arguments: [], activationToken: nil) { return true }
        await showFailure(
            title: localized("Cannot show the inbox"),
            text: localized(
                "To see the messages, run this command in a terminal: {command}",
                ["command": "cutied ctl inbox"]))
        return false
    }

    /// Shows the form for new feedback of an account. Returns whether the window started. There is no
    /// fallback, because only the window has this form.
    package func openForm(forAccount account: String) async -> Bool {
        await showInbox(arguments: ["--compose", "--account", account], activationToken: nil)
    }

    /// Opens the composer for a reply in the window; if the window cannot be shown, runs the `open --reply`
    /// command, which chooses a program.
    package func openComposer(for link: DeepLink, activationToken: String?) async {
        if await showInbox(arguments: ["--reply", link.text], activationToken: activationToken) { return }
        // Use the absolute path, because the user manager, which starts the program, may have a different
        // PATH.
        await startProgram(
            [Installation.current?.command ?? Product.name, "open", "--reply", link.text],
            activationToken: activationToken,
            failureTitle: localized("Cannot open a window for the reply"),
            explaining: [
                .exited(code: 69): Reason(.replyNeedsProgram)
            ],
            isOwnProgram: true)
    }

    /// Opens the issuer's `page` in a browser; if `page` is `nil`, shows the sign-in page in the window.
    func openSignIn(at page: String?, activationToken: String?) async {
        if let page {
            await startProgram(
                ["xdg-open", page], activationToken: activationToken,
                failureTitle: localized("Cannot open the browser"))
            return
        }
        if await showInbox(arguments: ["--page", "sign-in"], activationToken: activationToken) { return }
        await showFailure(
            title: localized("Cannot show the sign-in page"),
            text: localized(
                "To sign in, run this command in a terminal: {command}", ["command": "cutied ctl signin"]))
    }

    /// Shows the open questions in the window; if the window cannot be shown, shows the command that answers
    /// the questions.
    func openQuestions(activationToken: String?) async {
        if await showInbox(arguments: ["--page", "questions"], activationToken: activationToken) { return }
        await showFailure(
            title: localized("Cannot show the questions"),
            text: localized(
                "To answer, run this command in a terminal: {command}", ["command": "cutied ctl questions"]))
    }

    /// Starts the window. Returns `false` if there is no display, if the program is not installed, or if it
    /// did not start. The caller then uses a fallback.
    private func showInbox(arguments: [String], activationToken: String?) async -> Bool {
        guard launcher.providesDisplay, let inbox = InstalledPrograms(environment: environment).inbox else {
            return false
        }
        do {
            // Other users can see the arguments, which contain only a page name or a conversation link.
            let outcome = try await launcher.launch(
                [inbox] + arguments,
                addingVariables: makeEnvironmentAdditions(activationToken: activationToken),
                output: .inherited)
            if outcome.isSuccess { return true }
            logger.warning("the window did not start", metadata: ["reason": "it \(outcome)"])
        } catch {
            logger.warning("the window did not start", metadata: ["reason": "\(error)"])
        }
        return false
    }

    /// Returns additional environment variables for a program that is started by a click.
    private func makeEnvironmentAdditions(activationToken: String?) -> [String: String] {
        var additions: [String: String] = [:]
        additions["XDG_ACTIVATION_TOKEN"] = activationToken
        // Pass the activation token also under the name that X11 programs expect.
        additions["DESKTOP_STARTUP_ID"] = activationToken
        for name in ["CUTIED_SOCKET", "TERMINAL"] { additions[name] = environment.nonEmptyValue(named: name) }
        // Prevent `cutied open` from reporting the opened conversation to the daemon again.
        additions[Product.openingVariable] = "1"
        return additions
    }

    /// Starts a program and returns whether it runs. Reports a failure to the user.
    ///
    /// - Parameters:
    ///   - failureTitle: the title of the notice if the program does not start.
    ///   - reasons: the explanations for the user, for outcomes that need one.
    ///   - isOwnProgram: whether the program reports its own errors if there is a display.
    @discardableResult
    private func startProgram(
        _ argv: [String], activationToken: String?, failureTitle: String,
        explaining reasons: [Launcher.Outcome: Reason] = [:],
        isOwnProgram: Bool = false
    ) async -> Bool {
        do {
            let outcome = try await launcher.launch(
                argv, addingVariables: makeEnvironmentAdditions(activationToken: activationToken))
            if outcome.isSuccess || isOwnProgram && launcher.providesDisplay && outcome.hasExited {
                return true
            }
            await reportFailure(
                of: argv, title: failureTitle,
                reason: reasons[outcome] ?? Self.makeReason(for: argv[0], outcome: outcome))
        } catch {
            await reportFailure(
                of: argv, title: failureTitle,
                reason: Reason(.programNotStarted, ["program": argv[0], "detail": " (\(error))"]))
        }
        return false
    }

    private func reportFailure(of argv: [String], title: String, reason: Reason) async {
        logger.warning("a program did not start", metadata: ["program": "\(argv[0])", "reason": "\(reason)"])
        await showFailure(title: title, text: reason.localizedForNotification)
    }

    private func showFailure(title: String, text: String) async {
        await screen.showNotice(.makeNotice(summary: title, body: text, category: "im.error"))
    }

    private static func failureTitle(for link: DeepLink) -> String {
        if case .conversation = link { return localized("Cannot show the conversation") }
        return localized("Cannot open the link")
    }

    private static func makeReason(for program: String, outcome: Launcher.Outcome) -> Reason {
        switch outcome {
        case .exited(let code): Reason(.programEnded, ["program": program, "status": String(code)])
        case .killed(let signal): Reason(.programKilled, ["program": program, "signal": String(signal)])
        case .running: Reason(.programNotStarted, ["program": program, "detail": ""])
        }
    }
}
