import ArgumentParser
import ControlAPI
import CutieAPI
import Glibc
import Platform

/// `cutied open`: shows the thread that a link is about, where the person can see it, or has them answer it, or
/// asks whether the app that it is about is to be added.
public struct LinkOpening: Sendable {
    private let link: DeepLink
    /// The link as it was given, which is ours to the last byte.
    private let text: String

    /// Throws the `Complaint` that a link which is not ours deserves.
    public init(_ text: String) throws {
        do { link = try DeepLink(text) } catch {
            throw Complaint(
                .badData, "this link \(error); nothing was opened",
                advice: "links of cutied look like cutie://conversation/ID or cutie://link?token=TOKEN")
        }
        self.text = text
    }

    /// Shows the thread: in the terminal, else in a window. `holding`: waits for Enter after it, in a
    /// terminal window that would close with the program.
    ///
    /// `telling`: what a person on a desktop would else not hear of, as nothing appears there.
    public func run(
        environment: [String: String], holding: Bool, telling tell: (String) async -> Void
    ) async throws {
        let session = try Session.ofThisProcess(try .parse([]))
        switch link {
        case .conversation(let id, let account, let message):
            let call = GetConversation(conversation: id.rawValue, limit: nil, account: account)
            let thread = try await session.daemon.call(call).reply
            let view = ThreadView(thread: thread, marked: message?.rawValue, session: session)
            if !holding, isatty(STDOUT_FILENO) == 0, environment.hasDisplay {
                let window = Self.window(in: environment)
                if await window.runInTerminal(["open", "--hold", text]) { return }
                if await view.show(in: window.dialog) { return }
                await tell(Self.nothingToShowWith)
            }
            try await view.showHere(holding: holding)
        case .app(let token): try await AppTaking(session: session).run(token)
        }
    }

    private static let nothingToShowWith =
        "There is no terminal to show the conversation in. Install one, or zenity or kdialog."

    /// Has the person write a reply: where the thread would be shown.
    public func reply(environment: [String: String], holding: Bool) async throws {
        guard case .conversation(let id, let account, _) = link else {
            throw Complaint(
                .badData, "this link is about an app; nobody can answer it",
                advice: "only cutie://conversation/ID can be answered")
        }
        let session = try Session.ofThisProcess(try .parse([]))
        let call = GetConversation(conversation: id.rawValue, limit: 100, account: account)
        let thread = try await session.daemon.call(call).reply
        let composer = ReplyComposer(session: session, thread: thread, environment: environment)
        if !holding, isatty(STDOUT_FILENO) == 0 || isatty(STDIN_FILENO) == 0 {
            let window = Self.window(in: environment)
            if await window.runInTerminal(["open", "--reply", "--hold", text]) { return }
            guard let dialog = window.dialog else {
                throw Complaint(
                    .unreachable, "there is nothing here to write a reply in",
                    advice: "install a terminal, zenity or kdialog, or use `cutied ctl reply`")
            }
            return try await session.end(composer.run(in: dialog))
        }
        let ending = try await composer.runHere()
        try session.tell(ending)
        guard holding else { return try session.end(ending) }
        // All was told here. A terminal that ends with our exit code would seem to have failed.
        if ending.isToBeRead { try session.waitForEnter() }
    }

    private static func window(in environment: [String: String]) -> LinkWindow {
        LinkWindow(environment: environment, program: OwnProgram.path ?? Product.name)
    }
}

extension ReplyComposer.Ending {
    /// A window that closed at once would take it away unseen.
    fileprivate var isToBeRead: Bool {
        switch self {
        case .queued, .kept: true
        case .nothing, .sent: false
        }
    }
}

extension Session {
    func waitForEnter() throws {
        try output.write("\nPress Enter to close.")
        _ = readLine()
    }

    fileprivate func tell(_ ending: ReplyComposer.Ending) throws {
        switch ending {
        case .nothing: try output.write("Nothing was written, and nothing was sent.\n")
        case .sent: try output.write("Sent.\n")
        case .queued: try output.write("It is sent as soon as the service can be reached.\n")
        case .kept(let sentence): try remarks.write(sentence + "\n")
        }
    }

    fileprivate func end(_ ending: ReplyComposer.Ending) throws {
        switch ending {
        case .nothing, .sent: break
        case .queued: try end(queued: true)
        case .kept: throw ExitCode(ExitStatus.failed.rawValue)
        }
    }
}
