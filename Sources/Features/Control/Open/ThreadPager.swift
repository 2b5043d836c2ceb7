import ControlAPI
import ControlClient
import Glibc
import Localization

/// Displays a conversation, scrolled to the message of a link.
struct ThreadPager: Sendable {
    let thread: GetConversation.Reply
    /// The ID of the message to mark; `nil` to mark no message.
    let marked: String?
    let session: Session

    /// Shows the conversation in this terminal and marks the conversation as read.
    func showInTerminal(keepsTerminalOpen: Bool) async throws {
        let (text, line) = thread.text(in: session.format(), highlighting: marked)
        if marked != nil, line == nil {
            let remark = localized(
                "the linked message is not stored on this computer; all stored messages are shown")
            try session.remarks.write("cutied: \(remark)\n")
        }
        let isPaged = await showInPager(text, startingAtLine: line)
        if !isPaged { try session.output.write(text) }
        if let remark = thread.remark { try? session.remarks.write("cutied: \(remark)\n") }
        await session.markDisplayedMessagesAsRead(in: thread)
        // Do not wait for Enter after the pager, because the pager has already waited for the user.
        if keepsTerminalOpen, !isPaged { try session.waitForEnter() }
    }

    /// Shows the text in the pager. Returns `false` if the line is visible without a pager, or there is no
    /// pager.
    private func showInPager(_ text: String, startingAtLine line: Int?) async -> Bool {
        guard let line, !isLineVisible(line, afterPrinting: text) else { return false }
        // Mark the conversation before the pager starts, because the pager runs as long as the user reads.
        await session.markDisplayedMessagesAsRead(in: thread)
        return Pager.showText(text, startingAtLine: line)
    }

    /// Shows the conversation in a dialog, and marks it as read. Returns `false` if there is no dialog, or
    /// the dialog did not appear.
    func showThread(in dialog: DesktopDialog?) async -> Bool {
        guard let dialog else { return false }
        var format = session.format()
        format.usesColor = false
        return await dialog.showText(thread.text(in: format, startingAt: marked)) {
            await session.markDisplayedMessagesAsRead(in: thread)
        }
    }

    /// Returns whether a line is still on the screen after `text` was printed.
    private func isLineVisible(_ line: Int, afterPrinting text: String) -> Bool {
        guard let height = Pager.height else { return true }
        let width = session.format().width
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1)
        let rows = lines.reduce(0) {
            $0 + max(1, (CellWidth.width(of: String($1)) + width - 1) / max(1, width))
        }
        // Reserve two rows for the prompt that follows.
        return rows + 2 <= height
    }
}

extension Session {
    /// Marks the displayed messages as read unless the daemon is configured otherwise.
    func markDisplayedMessagesAsRead(in thread: GetConversation.Reply) async {
        guard let newest = thread.messages.last else { return }
        // Ignore errors: showing the conversation is more important than marking it as read.
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

/// The pager `less`, for text that does not fit on the screen.
enum Pager {
    /// Shows `text` in this terminal with `line` (counted from 1) at the top, until the user quits the pager.
    /// Returns `false` if the pager cannot be started.
    static func showText(_ text: String, startingAtLine line: Int) -> Bool {
        // The shell finds the program in `PATH`; the command contains no external text. LESSSECURE disables
        // the keys that start a shell or an editor.
        let command = "LESSSECURE=1 LESSOPEN= exec less -R '-P\(prompt)' +\(line) 2>/dev/null"
        guard let pipe = popen(command, "we") else { return false }
        // Ignore write errors, because the pager stops reading if the user quits early.
        _ = text.withCString { fputs($0, pipe) }
        let status = pclose(pipe)
        return status == 0
    }

    /// The prompt for less, with its special characters escaped. Contains no single quotes, which would end
    /// the quoting of the shell.
    private static var prompt: String {
        localized("Press q to close the conversation").map {
            #"?:.%\"#.contains($0) ? #"\"# + String($0) : String($0)
        }
        .joined().replacing("'", with: "’")
    }

    /// The number of rows of the terminal on standard output; `nil` if it is not a terminal.
    static var height: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }
}
