import CutieAPI
import Desktop
import Inbox
import Store

/// A private pause that begins holds for what is on the screen, too.
extension Announcer {
    func hideWords() async throws {
        let isPrivate = policy.isPrivate(at: surroundings.moment)
        guard isPrivate, !wasPrivate else { return wasPrivate = isPrivate }
        for id in notices.keys { try await close(id) }
        notices.removeAll()
        // Once the server is gone, so is all that it showed.
        for (key, record) in live.records where server != nil {
            if live.isOwn(key) { try await hideWords(of: key, record) } else { try await takeAway(record) }
        }
        // Not before: where the store fails, the next run hides the rest.
        wasPrivate = true
    }

    private func hideWords(of key: PopupKey, _ shown: PopupRecord) async throws {
        do {
            var record = shown
            record.notification = try await notifier.show(
                try wordless(key, count: shown.count), replacing: shown.notification)
            try store.write { try $0.save(record) }
            live.set(record)
        } catch NotifierError.cancelled {
            throw CancellationError()
        } catch NotifierError.refused {
            try await takeAway(shown)
        } catch let error as NotifierError {
            try await lose(because: error)
        }
    }

    /// One of an earlier run may be gone from the screen, and would come back with a change of its words.
    private func takeAway(_ record: PopupRecord) async throws {
        try remove(record.notification, how: "hidden by a private pause")
        try await close(record.notification)
    }

    private func wordless(_ key: PopupKey, count: Int) throws -> Popup {
        guard case .conversation(let account, let id) = key else {
            return try digestPopup(count: count, newest: [], isUpdate: true)
        }
        let item = PopupNews(account: account, id: id, conversation: nil, appID: nil, messages: [])
        return try popup(for: item, count: count, isUpdate: true)
    }
}
