import ArgumentParser
import ControlAPI
import CutieAPI
import Glibc
import Platform

/// `cutied open`: shows the thread that a link is about, where the person can see it, or asks whether the app
/// that it is about is to be added.
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
    /// terminal window that would close with the program. Marks nothing read.
    ///
    /// `telling`: what a person on a desktop would else not hear of, as nothing appears there.
    public func run(
        environment: [String: String], holding: Bool, telling tell: (String) async -> Void
    ) async throws {
        let session = try Session.ofThisProcess(try .parse([]))
        switch link {
        case .conversation(let id, let account, _):
            let call = GetConversation(conversation: id.rawValue, limit: nil, account: account)
            let thread = try await session.daemon.call(call).reply
            let window = LinkWindow(environment: environment, program: OwnProgram.path ?? Product.name)
            if !holding, isatty(STDOUT_FILENO) == 0, environment.hasDisplay {
                let page = Page.forWindows(like: session.page())
                if await window.show(text, thread: { thread.text(on: page) }) { return }
                await tell(Self.nothingToShowWith)
            }
            try print(thread, in: session, holding: holding)
        case .app(let token): try await AppTaking(session: session).run(token)
        }
    }

    private static let nothingToShowWith =
        "There is no terminal to show the conversation in. Install one, or zenity or kdialog."

    private func print(_ thread: GetConversation.Reply, in session: Session, holding: Bool) throws {
        try session.output.write(thread.text(on: session.page()))
        if holding {
            try session.output.write("\nPress Enter to close.")
            _ = readLine()
        }
    }
}

extension Page {
    fileprivate static func forWindows(like page: Page) -> Page {
        var page = page
        page.colour = false
        return page
    }
}
