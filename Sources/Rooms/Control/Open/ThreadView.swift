import ControlAPI
import ControlClient
import Glibc
import Localization

/// A thread before the person's eyes, with the message that a link names where they look first.
struct ThreadView: Sendable {
    let thread: GetConversation.Reply
    /// nil: none in particular.
    let marked: String?
    let session: Session

    /// In this terminal; marks read what it showed.
    func showHere(holding: Bool) async throws {
        let (text, line) = thread.text(in: session.format(), marking: marked)
        if marked != nil, line == nil {
            let remark = localized("the message of this link is not here; this is all there is")
            try session.remarks.write("cutied: \(remark)\n")
        }
        let isPaged = await showInPager(text, from: line)
        if !isPaged { try session.output.write(text) }
        if let remark = thread.remark { try? session.remarks.write("cutied: \(remark)\n") }
        await session.markShown(thread)
        // Who left the pager has seen enough.
        if holding, !isPaged { try session.waitForEnter() }
    }

    /// False where the line is on the screen without one, or there is no pager.
    private func showInPager(_ text: String, from line: Int?) async -> Bool {
        guard let line, !isSeen(line, atEndOf: text) else { return false }
        // Before it: the person reads as long as the pager runs.
        await session.markShown(thread)
        return Pager.show(text, from: line)
    }

    /// False where there is no dialog, or it did not come up.
    func show(in dialog: DesktopDialog?) async -> Bool {
        guard let dialog else { return false }
        var format = session.format()
        format.colour = false
        return await dialog.show(thread.text(in: format, from: marked)) { await session.markShown(thread) }
    }

    /// Whether a line is on the screen after all of `text` was printed.
    private func isSeen(_ line: Int, atEndOf text: String) -> Bool {
        guard let height = Pager.height else { return true }
        let width = session.format().width
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1)
        let rows = lines.reduce(0) { $0 + max(1, (CellWidth.of(String($1)) + width - 1) / max(1, width)) }
        // Two for the prompt that follows.
        return rows + 2 <= height
    }
}

extension Session {
    /// A thread was shown to the person: it is read as far as it went, unless they do not want that.
    func markShown(_ thread: GetConversation.Reply) async {
        guard let newest = thread.messages.last else { return }
        // To read it is more than to tell that it was read.
        _ = try? await daemon.call(
            MarkRead(
                conversation: thread.conversation.conversationId, upTo: newest.messageId, shown: true,
                account: thread.conversation.account))
    }

    func waitForEnter() throws {
        try output.write("\n" + localized("Press Enter to close."))
        _ = readLine()
    }
}

/// `less`, for a text of which one line is to be seen although it does not fit.
enum Pager {
    /// Shows `text` in this terminal with `line` (from 1) at the top; returns when the person has seen enough.
    /// False where there is no pager.
    static func show(_ text: String, from line: Int) -> Bool {
        // Through a shell, as it looks the program up; nothing in it is from outside. Without LESSSECURE a key
        // press would start a shell or an editor with the text of others.
        let command = "LESSSECURE=1 LESSOPEN= exec less -R '-P\(prompt)' +\(line) 2>/dev/null"
        guard let pipe = popen(command, "we") else { return false }
        // A pager that is left early reads no more: this is no error.
        _ = text.withCString { fputs($0, pipe) }
        let status = pclose(pipe)
        return status == 0
    }

    /// Without what would mean something to less, or end the shell's quotes.
    private static var prompt: String {
        localized("The thread; q closes it").map { #"?:.%\"#.contains($0) ? #"\"# + String($0) : String($0) }
            .joined().replacing("'", with: "’")
    }

    /// Lines of the terminal that this process writes to; nil where it is none.
    static var height: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }
}
