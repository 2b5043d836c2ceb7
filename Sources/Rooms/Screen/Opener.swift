import ControlAPI
package import CutieAPI
import Localization
package import Logging
import Platform

/// Opens what a pop-up is about: the configured program, else the window, else the desktop's handler of
/// `cutie://` links.
package final class Opener {
    /// `opener` of the configuration; the link is its last argument.
    package var command: [String]?
    /// Whether what was opened is marked read once it is shown.
    package var marksRead = true
    private let launcher: Launcher
    private let environment: [String: String]
    private let logger: Logger
    /// Tells the person by pop-up that nothing opened.
    var onFailure: (String) async -> Void = { _ in }

    package init(command: [String]?, environment: [String: String], logger: Logger) {
        (self.command, launcher) = (command, Launcher(environment: environment))
        (self.environment, self.logger) = (environment, logger)
    }

    /// Opens `link`. Returns whether a program started.
    @discardableResult
    package func open(_ link: DeepLink, activationToken: String?) async -> Bool {
        if command == nil, await showInbox([link.text], activationToken) { return true }
        return await start((command ?? ["xdg-open"]) + [link.text], activationToken)
    }

    /// Shows all conversations. Returns whether the window started.
    package func openInbox() async -> Bool {
        if await showInbox([], nil) { return true }
        await onFailure(
            localized("To see them, type in a terminal: {command}", ["command": "cutied ctl inbox"]))
        return false
    }

    /// Has a reply composed: in the window, else where the program for links chooses.
    package func compose(_ link: DeepLink, activationToken: String?) async {
        if await showInbox(["--reply", link.text], activationToken) { return }
        // The manager that starts it may have another PATH.
        await start(
            [OwnProgram.path ?? Product.name, "open", "--reply", link.text], activationToken,
            telling: [
                .exited(code: 69): localizable("install a terminal, zenity or kdialog to reply from a pop-up")
            ],
            isOurs: true)
    }

    /// Shows where somebody signs in: the issuer's `page` in the browser, else the window's.
    func openSignIn(_ page: String?, activationToken: String?) async {
        if let page {
            await start(["xdg-open", page], activationToken)
            return
        }
        if await showInbox(["--page", "sign-in"], activationToken) { return }
        await onFailure(
            localized("To sign in, type in a terminal: {command}", ["command": "cutied ctl signin"]))
    }

    /// Shows what waits for the person's answer.
    func openQuestions(activationToken: String?) async {
        if await showInbox(["--page", "questions"], activationToken) { return }
        await onFailure(
            localized("To answer, type in a terminal: {command}", ["command": "cutied ctl questions"]))
    }

    /// False where there is no screen, no window, or one that does not start: then the others are tried.
    private func showInbox(_ arguments: [String], _ activationToken: String?) async -> Bool {
        guard launcher.givesScreen, let inbox = InstalledPrograms(environment: environment).inbox else {
            return false
        }
        do {
            // The arguments are a page, or the link of a conversation: neither is a secret.
            let outcome = try await launcher.launch(
                [inbox] + arguments, adding: additions(activationToken), output: .inherited)
            if outcome.isSuccess { return true }
            logger.warning("the window did not start", metadata: ["reason": "it \(outcome)"])
        } catch {
            logger.warning("the window did not start", metadata: ["reason": "\(error)"])
        }
        return false
    }

    /// What a program needs that the person's click starts.
    private func additions(_ activationToken: String?) -> [String: String] {
        var additions: [String: String] = [:]
        additions["XDG_ACTIVATION_TOKEN"] = activationToken
        // The same by the name that programs on X11 look for.
        additions["DESKTOP_STARTUP_ID"] = activationToken
        for name in ["CUTIED_SOCKET", "TERMINAL"] { additions[name] = environment.value(of: name) }
        return additions
    }

    /// Starts a program and returns whether it runs. `reasons`: sentences for the person about an exit code that does not
    /// explain itself. `isOurs`: the program shows its errors itself if it has a screen.
    @discardableResult
    private func start(
        _ argv: [String], _ activationToken: String?, telling reasons: [Launcher.Outcome: String] = [:],
        isOurs: Bool = false
    ) async -> Bool {
        do {
            let outcome = try await launcher.launch(argv, adding: additions(activationToken))
            if outcome.isSuccess || isOurs && launcher.givesScreen && outcome.hasRun { return true }
            await fail(argv, because: "it \(outcome)", telling: reasons[outcome])
        } catch {
            await fail(argv, because: "\(error)")
        }
        return false
    }

    private func fail(_ argv: [String], because reason: String, telling sentence: String? = nil) async {
        logger.warning("a program did not start", metadata: ["program": "\(argv[0])", "reason": "\(reason)"])
        await onFailure(localized(received: sentence ?? "\(argv[0]): \(reason)"))
    }
}
