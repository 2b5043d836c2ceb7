import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Logging
import Store

/// What could not be sent for good: told once by pop-up, where nobody else has told it. The words are in the
/// outbox; the pop-up goes when they go from there, or are tried again.
extension Announcer {
    /// More at once are one pop-up.
    private static let mostFailures = 3

    func showFailures() async throws {
        try await closeWhatIsTriedAgain()
        let failed = try store.read { try $0.untoldFailures() }.filter { isOpen($0.account) }
        guard !failed.isEmpty else { return }
        let now = surroundings.moment
        switch policy.verdictOnNotice(now: now) {
        case .never: return try tellNoMore(of: failed)
        case .hold(_, let until): return wake(at: until, now: now.time)
        case .show: break
        }
        let groups = failed.count > Self.mostFailures ? [failed] : failed.map { [$0] }
        for group in groups {
            guard await isServerThere(), takeToken(), try await show(failed: group) else { return }
        }
    }

    /// False where the server did not take it now.
    private func show(failed items: [OutboxRecord]) async throws -> Bool {
        let popup = try popup(failed: items)
        // Before it is shown: a disk that is full would have it shown again and again.
        try tellNoMore(of: items)
        var id: UInt32?
        do { id = try await showNotice(popup) } catch {
            try tellAgain(of: items)
            throw error
        }
        guard let id else {
            try tellAgain(of: items)
            return false
        }
        notices[id] = items.map(\.id)
        return true
    }

    private func popup(failed items: [OutboxRecord]) throws -> Popup {
        let text = try text(failed: items)
        var popup = Popup.notice(text.summary, text.body, category: "im.error")
        popup.actions = [.init(id: Action.retry, label: "Try again")]
        if items.count == 1, items[0].conversation != nil {
            popup.actions.append(.init(id: Action.open, label: "Open"))
        }
        return popup
    }

    private func text(failed items: [OutboxRecord]) throws -> PopupText {
        let reason = items.last?.error ?? "the API refused it"
        guard let item = items.first, items.count == 1 else {
            return .failures(items.count, reason: reason)
        }
        let payload = try? JSON.decode(OutboxPayload.self, from: item.payload.utf8)
        let title = try item.conversation.flatMap { id in
            try store.read { try $0.conversation(id, account: item.account) }?.conversation.title
        }
        return .failure(
            in: title ?? payload?.title, text: payload?.text ?? "", reason: reason,
            preview: policy.preview(at: surroundings.moment))
    }

    private func tellNoMore(of items: [OutboxRecord]) throws {
        try store.write { transaction in for item in items { try transaction.setTold(item.id) } }
    }

    private func tellAgain(of items: [OutboxRecord]) throws {
        try store.write { transaction in for item in items { try transaction.setTold(item.id, false) } }
    }

    private func closeWhatIsTriedAgain() async throws {
        for (id, items) in notices {
            let failed = try store.read { transaction in
                try items.contains { try transaction.outboxItem($0)?.state == .failed }
            }
            if !failed {
                notices[id] = nil
                try await close(id)
            }
        }
    }
}
