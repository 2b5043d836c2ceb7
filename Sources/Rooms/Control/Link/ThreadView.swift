import ControlAPI

/// A thread before the person's eyes, with the message that a link names where they look first.
struct ThreadView: Sendable {
    let thread: GetConversation.Reply
    /// nil: none in particular.
    let marked: String?
    let session: Session

    /// In this terminal; marks read what it showed.
    func showHere(holding: Bool) async throws {
        let (text, line) = thread.text(on: session.page(), marking: marked)
        if marked != nil, line == nil {
            try session.remarks.write("cutied: the message of this link is not here; this is all there is\n")
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
    func show(in dialog: Dialog?) async -> Bool {
        guard let dialog else { return false }
        var page = session.page()
        page.colour = false
        return await dialog.show(thread.text(on: page, from: marked)) { await session.markShown(thread) }
    }

    /// Whether a line is on the screen after all of `text` was printed.
    private func isSeen(_ line: Int, atEndOf text: String) -> Bool {
        guard let height = Pager.height else { return true }
        let width = session.page().width
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1)
        let rows = lines.reduce(0) { $0 + max(1, (CellWidth.of(String($1)) + width - 1) / max(1, width)) }
        // Two for the prompt that follows.
        return rows + 2 <= height
    }
}
