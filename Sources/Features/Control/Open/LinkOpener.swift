import ArgumentParser
import Config
import ControlAPI
import ControlClient
import CutieAPI
import Glibc
import Localization
import OAuth
import Platform
import Reasons
import Setup

/// The command `cutied open`, which shows the conversation of a link, lets the user reply, or asks whether to
/// add the account of an app.
public struct LinkOpener: Sendable {
    private let target: Target
    /// The link exactly as it was passed, byte for byte.
    private let text: String

    private enum Target {
        case link(DeepLink)
        /// The redirect from the browser after a sign-in. The daemon finds the pending sign-in by the
        /// redirect's state.
        case redirect
    }

    /// Parses a link.
    ///
    /// - Throws: a `CommandError` if the link is not supported.
    public init(_ text: String) throws {
        self.text = text
        guard !Redirect.isRedirect(text) else {
            target = .redirect
            return
        }
        let link: DeepLink
        do { link = try DeepLink(text) } catch {
            throw CommandError(
                .badData, error.reason.replacingAdvice(with: Reason(.nothingOpened)),
                advice: Reason(.validLinks))
        }
        target = .link(link)
    }

    /// Opens the link. Shows a conversation in the app that handles the conversation; otherwise in the
    /// window, in a terminal or in a dialog. For an account link, asks the user for consent.
    ///
    /// - Parameters:
    ///   - keepsTerminalOpen: whether to wait for Enter at the end, because the terminal window closes
    ///   with the program.
    ///   - notify: called with a message that the user of a desktop would otherwise not see.
    public func open(
        environment: [String: String], keepsTerminalOpen: Bool, notify: (String) async -> Void
    ) async throws {
        let session = try Session.makeForThisProcess(options: try .parse([]))
        guard case .link(let link) = target else {
            return try await completeSignIn(in: session, notify: notify)
        }
        if !keepsTerminalOpen, await reportOpening(of: link, in: session, environment: environment) { return }
        // After a click, prefer the window: it starts the daemon if the daemon is not running, and shows
        // errors, which the user would otherwise not see.
        if !keepsTerminalOpen, isatty(STDOUT_FILENO) == 0,
            await Self.makeDesktopEnvironment(from: environment).showInbox(arguments: [text])
        {
            return
        }
        switch link {
        case .conversation(let id, let account, let message):
            let call = GetConversation(conversation: id.rawValue, limit: nil, account: account)
            let thread = try await session.call(call).reply
            let view = ThreadPager(thread: thread, marked: message?.rawValue, session: session)
            let window = Self.makeDesktopEnvironment(from: environment)
            if !keepsTerminalOpen, isatty(STDOUT_FILENO) == 1, await window.showInbox(arguments: [text]) {
                return
            }
            if !keepsTerminalOpen, isatty(STDOUT_FILENO) == 0, environment.hasDisplay {
                if await window.runInTerminal(arguments: ["open", "--hold", text]) { return }
                if await view.showThread(in: window.dialog) { return }
                await notify(Self.noWindowNotice)
            }
            try await view.showInTerminal(keepsTerminalOpen: keepsTerminalOpen)
        case .app(let token, let api):
            do {
                try await AppHandOverPrompt(session: session).askToAddApp(withToken: token, apiAddress: api)
            } catch let gone
                as DaemonUnavailable
            {
                let file = ConfigurationFile(environment: environment)
                guard (try? file.readConfiguration())?.accounts.isEmpty == true else { throw gone }
                throw CommandError(
                    .unreachable, gone.commandError.sentence,
                    advice: """
                        start it with `systemctl --user enable --now cutied`, then open the link again; no \
                        App ID is needed
                        """)
            }
        case .setup(let appID, let api):
            let file = ConfigurationFile(environment: environment)
            try LinkSetup(appID: "\(appID)", address: api, link: link.text, file: file).run(in: session)
        }
    }

    /// Reports to the daemon that the user opens a conversation. Returns whether the app that owns the
    /// conversation shows it. Failures are ignored, because the program that shows the conversation reports
    /// them.
    private func reportOpening(
        of link: DeepLink, in session: Session, environment: [String: String]
    ) async -> Bool {
        guard case .conversation(let id, let account, let message) = link,
            environment[Product.openingVariable] == nil
        else { return false }
        let call = ReportOpening(
            conversation: id.rawValue, account: account, message: message?.rawValue)
        let answer = try? await session.daemon.withoutRetries.call(call, timeout: .seconds(2))
        return answer?.reply.handled ?? false
    }

    private func completeSignIn(in session: Session, notify: (String) async -> Void) async throws {
        let signedIn = try await session.call(CompleteSignIn(redirect: text)).reply.session
        // Without a terminal, show a notification: the user looks at the browser and does not see the output.
        if isatty(STDOUT_FILENO) == 0 {
            let name = signedIn.name ?? signedIn.email ?? signedIn.account
            await notify(localized("You are signed in as {name}.", ["name": name]))
        }
        try session.output.write(signedIn.text(in: session.format()))
    }

    private static var noWindowNotice: String {
        localized("No terminal was found to show the conversation. Install a terminal, zenity or kdialog.")
    }

    /// Asks the user for a reply in this terminal or, after a click, in the window, in a new terminal or in a
    /// dialog.
    public func composeReply(environment: [String: String], keepsTerminalOpen: Bool) async throws {
        guard case .link(.conversation(let id, let account, _)) = target else {
            throw CommandError(.badData, Reason(.linkNamesNoConversation))
        }
        let isByClick = isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0
        if !keepsTerminalOpen, isByClick,
            await Self.makeDesktopEnvironment(from: environment).showInbox(arguments: ["--reply", text])
        {
            return
        }
        let session = try Session.makeForThisProcess(options: try .parse([]))
        let call = GetConversation(conversation: id.rawValue, limit: 100, account: account)
        let thread = try await session.call(call).reply
        let composer = ReplyComposer(session: session, thread: thread, environment: environment)
        if !keepsTerminalOpen, isByClick {
            let window = Self.makeDesktopEnvironment(from: environment)
            if await window.runInTerminal(arguments: ["open", "--reply", "--hold", text]) { return }
            guard let dialog = window.dialog else {
                throw CommandError(
                    .unreachable, Reason(.noProgramToReply))
            }
            return try await Self.throwIfUnsent(composer.compose(in: dialog), in: session)
        }
        let outcome = try await composer.composeInTerminal()
        try Self.printOutcome(outcome, in: session)
        guard keepsTerminalOpen else { return try Self.throwIfUnsent(outcome, in: session) }
        // Exit with 0 although the reply may not be sent: the outcome is printed, and the terminal would
        // report any other code.
        if outcome.mustBeRead { try session.waitForEnter() }
    }

    private static func printOutcome(_ outcome: ReplyComposer.Outcome, in session: Session) throws {
        switch outcome {
        case .nothing:
            try session.output.write(localized("The reply is empty and was not sent.") + "\n")
        case .sent: try session.output.write(localized("Sent.") + "\n")
        case .queued:
            try session.output.write(
                localized("Your reply will be sent when the service can be reached.") + "\n")
        case .savedAsDraft(let sentence): try session.remarks.write(sentence + "\n")
        }
    }

    private static func throwIfUnsent(_ outcome: ReplyComposer.Outcome, in session: Session) throws {
        switch outcome {
        case .nothing, .sent: break
        case .queued: try session.throwIfQueued(true)
        case .savedAsDraft: throw ExitCode(ExitStatus.failed.rawValue)
        }
    }

    private static func makeDesktopEnvironment(from environment: [String: String]) -> DesktopEnvironment {
        DesktopEnvironment(environment: environment, program: Installation.current?.command ?? Product.name)
    }
}

extension ReplyComposer.Outcome {
    /// Whether the user must read the outcome before the window closes.
    fileprivate var mustBeRead: Bool {
        switch self {
        case .queued, .savedAsDraft: true
        case .nothing, .sent: false
        }
    }
}

/// Asks the user whether to add the account of an app, for `cutied open cutie://link?token=...`. Without a
/// terminal, the daemon asks with a notification.
struct AppHandOverPrompt: Sendable {
    let session: Session

    /// Asks the user whether to add the app of a link. In a terminal, asks the question of the daemon there
    /// and sends the answer; throws
    /// `ExitCode` 1 after a refusal. Otherwise, the daemon asks in a notification. `api`: the address in the
    /// link.
    func askToAddApp(withToken token: FeedbackToken, apiAddress api: APIAddress? = nil) async throws {
        let isHere = session.prompt != nil
        let call = TakeApp(
            token: token.rawValue, quiet: isHere ? true : nil, apiUrl: api?.description)
        let question = try await session.call(call).reply.question
        guard let prompt = session.prompt else {
            return try session.output.write(
                "answer the question in the notification, or run `cutied ctl questions answer \(question.questionId) allow`\n"
            )
        }
        // Treat an unanswered question as a refusal, so that no account is added.
        let allow = try prompt.askForDecision(on: question)?.isAllowed ?? false
        let answer = AnswerQuestion(questionId: question.questionId, allow: allow)
        if allow {
            try await session.submit(answer)
        } else {
            _ = try await session.call(answer)
            try session.output.write("denied; nothing was added\n")
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }
}
