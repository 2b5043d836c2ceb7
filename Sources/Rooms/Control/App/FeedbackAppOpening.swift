import ControlAPI
import CutieAPI
import FoundationEssentials
import Platform

/// `app open`: hands an account over to the program that the desktop has for `cutie://` links.
struct FeedbackAppOpening: Sendable {
    let session: Session
    /// nil: none is installed.
    let handler: LinkHandler?
    /// Opens a link with the desktop's handler; false where it did not start.
    let start: @Sendable (String) async -> Bool

    static func ofThisProcess(_ session: Session) -> FeedbackAppOpening {
        let environment = ProcessInfo.processInfo.environment
        return FeedbackAppOpening(
            session: session, handler: LinkHandler.find(scheme: "cutie", environment: environment)
        ) { link in
            let launcher = Launcher(environment: environment)
            return (try? await launcher.launch(["xdg-open", link]))?.isSuccess == true
        }
    }

    func open(account: String?) async throws {
        let handler = try installed()
        if handler.id == Product.desktopEntry + ".desktop" {
            // To itself cutied would add what it has already.
            try Output.error.write("cutied itself is the app for cutie:// links here; this is its inbox:\n")
            try await session.answer(ListConversations(account: account))
            return
        }
        let pass = try await session.daemon.call(HandOverApp(account: account))
        guard await start(pass.reply.link) else {
            throw Complaint(
                .failed, "\(handler.name) did not start", advice: "use the code of `cutied ctl app code`")
        }
        try session.output.write(
            session.json ? pass.json + "\n" : "opened with \(PlainText.line(handler.name))\n")
    }

    func tellHandler() throws {
        let handler = try installed()
        let told = Handler(id: handler.id, name: handler.name)
        try session.output.write(
            session.json
                ? try JSONLine.text(JSON.encode(told)) + "\n"
                : "\(PlainText.line(handler.name))  \(PlainText.line(handler.id))\n")
    }

    private func installed() throws -> LinkHandler {
        guard let handler else {
            throw Complaint(
                .failed, "no app for cutie:// links is installed",
                advice: "`cutied ctl app code` prints a code for a Feedback App elsewhere")
        }
        return handler
    }

    private struct Handler: Encodable {
        let id: String
        let name: String
    }
}
