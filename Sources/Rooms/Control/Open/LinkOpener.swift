import ArgumentParser
import ControlAPI
import ControlClient
import CutieAPI
import Glibc
import Localization
import OAuth
import Platform
import Setup

/// `cutied open`: shows the thread that a link is about, where the person can see it, or has them answer it, or
/// asks whether the app that it is about is to be added.
public struct LinkOpener: Sendable {
    private let target: Target
    /// The link as it was given, which is ours to the last byte.
    private let text: String

    private enum Target {
        case link(DeepLink)
        /// The browser comes back from a sign-in. The daemon knows whose.
        case redirect
    }

    /// Throws the `CommandError` that a link which is not ours deserves.
    public init(_ text: String) throws {
        self.text = text
        guard !Redirect.isOne(text) else {
            target = .redirect
            return
        }
        let link: DeepLink
        do { link = try DeepLink(text) } catch {
            throw CommandError(
                .badData, "this link \(error); nothing was opened",
                advice: "links of cutied look like cutie://conversation/ID or cutie://link?token=TOKEN")
        }
        target = .link(link)
    }

    /// Shows the thread: in the terminal, else in a window. `holding`: waits for Enter after it, in a
    /// terminal window that would close with the program.
    ///
    /// `telling`: what a person on a desktop would else not hear of, as nothing appears there.
    public func run(
        environment: [String: String], holding: Bool, telling tell: (String) async -> Void
    ) async throws {
        let session = try Session.ofThisProcess(try .parse([]))
        guard case .link(let link) = target else { return try await complete(in: session, telling: tell) }
        // Nobody reads our exit code: the window tells what is wrong, and starts what does not run.
        if !holding, isatty(STDOUT_FILENO) == 0, await Self.window(in: environment).showInbox([text]) {
            return
        }
        switch link {
        case .conversation(let id, let account, let message):
            let call = GetConversation(conversation: id.rawValue, limit: nil, account: account)
            let thread = try await session.call(call).reply
            let view = ThreadView(thread: thread, marked: message?.rawValue, session: session)
            let window = Self.window(in: environment)
            if !holding, isatty(STDOUT_FILENO) == 1, await window.showInbox([text]) { return }
            if !holding, isatty(STDOUT_FILENO) == 0, environment.hasDisplay {
                if await window.runInTerminal(["open", "--hold", text]) { return }
                if await view.show(in: window.dialog) { return }
                await tell(Self.noWindowNotice)
            }
            try await view.showHere(holding: holding)
        case .app(let token): try await AppTakeover(session: session).run(token)
        case .setup(let appID, let api):
            let file = ConfigurationFile(environment: environment)
            try LinkSetup(appID: "\(appID)", address: api, link: link.text, file: file).run(in: session)
        }
    }

    private func complete(in session: Session, telling tell: (String) async -> Void) async throws {
        let signedIn = try await session.call(CompleteSignIn(redirect: text)).reply.session
        // Without a terminal the browser is in front, and says nothing of it.
        if isatty(STDOUT_FILENO) == 0 {
            let name = signedIn.name ?? signedIn.email ?? signedIn.account
            await tell(localized("You are signed in as {name}.", ["name": name]))
        }
        try session.output.write(signedIn.text(in: session.format()))
    }

    private static var noWindowNotice: String {
        localized("There is no terminal to show the conversation in. Install one, or zenity or kdialog.")
    }

    /// Has the person write a reply: where the thread would be shown.
    public func reply(environment: [String: String], holding: Bool) async throws {
        guard case .link(.conversation(let id, let account, _)) = target else {
            throw CommandError(
                .badData, "this link is about no conversation; nobody can answer it",
                advice: "only cutie://conversation/ID can be answered")
        }
        let isByClick = isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0
        if !holding, isByClick, await Self.window(in: environment).showInbox(["--reply", text]) { return }
        let session = try Session.ofThisProcess(try .parse([]))
        let call = GetConversation(conversation: id.rawValue, limit: 100, account: account)
        let thread = try await session.call(call).reply
        let composer = ReplyComposer(session: session, thread: thread, environment: environment)
        if !holding, isByClick {
            let window = Self.window(in: environment)
            if await window.runInTerminal(["open", "--reply", "--hold", text]) { return }
            guard let dialog = window.dialog else {
                throw CommandError(
                    .unreachable, "there is nothing here to write a reply in",
                    advice: "install a terminal, zenity or kdialog, or use `cutied ctl reply`")
            }
            return try await Self.end(composer.run(in: dialog), in: session)
        }
        let outcome = try await composer.runHere()
        try Self.tell(outcome, in: session)
        guard holding else { return try Self.end(outcome, in: session) }
        // All was told here. A terminal that ends with our exit code would seem to have failed.
        if outcome.isToBeRead { try session.waitForEnter() }
    }

    private static func tell(_ outcome: ReplyComposer.Outcome, in session: Session) throws {
        switch outcome {
        case .nothing:
            try session.output.write(localized("Nothing was written, and nothing was sent.") + "\n")
        case .sent: try session.output.write(localized("Sent.") + "\n")
        case .queued:
            try session.output.write(
                localized("It is sent as soon as the service can be reached.") + "\n")
        case .kept(let sentence): try session.remarks.write(sentence + "\n")
        }
    }

    private static func end(_ outcome: ReplyComposer.Outcome, in session: Session) throws {
        switch outcome {
        case .nothing, .sent: break
        case .queued: try session.end(queued: true)
        case .kept: throw ExitCode(ExitStatus.failed.rawValue)
        }
    }

    private static func window(in environment: [String: String]) -> DesktopEnvironment {
        DesktopEnvironment(environment: environment, program: OwnProgram.path ?? Product.name)
    }
}

extension ReplyComposer.Outcome {
    /// A window that closed at once would take it away unseen.
    fileprivate var isToBeRead: Bool {
        switch self {
        case .queued, .kept: true
        case .nothing, .sent: false
        }
    }
}

/// `cutied open cutie://link?token=...`: the person decides, here where there is a terminal, else by pop-up.
struct AppTakeover: Sendable {
    let session: Session

    func run(_ token: FeedbackToken) async throws {
        let isHere = session.prompt != nil
        let call = TakeApp(token: token.rawValue, quiet: isHere ? true : nil)
        let question = try await session.call(call).reply.question
        guard let prompt = session.prompt else {
            return try session.output.write(
                "a pop-up asks you; or answer with `cutied ctl questions answer \(question.questionId) allow`\n"
            )
        }
        // A question that nobody answers must not add anything.
        let allow = try prompt.decision(on: question)?.isAllowed ?? false
        let answer = AnswerQuestion(questionId: question.questionId, allow: allow)
        if allow {
            try await session.answer(answer)
        } else {
            _ = try await session.call(answer)
            try session.output.write("refused; nothing was added\n")
            throw ExitCode(ExitStatus.failed.rawValue)
        }
    }
}
