import Attention
import CutieAPI
import Desktop
import Localization
import Log
import Logging
import Screen
import Store

extension DaemonProgram {
    /// Informs the person, once, that unsent messages may be lost with a damaged database. If pop-ups are
    /// held, this is postponed to the next start.
    func tellOfUnreadOutbox() async throws {
        let store = core.store
        guard let path = try store.read({ try $0.settings.text(Store.unreadOutbox) }),
            case .show = desktop.attention.policy.verdictOnNotice(now: core.surroundings.moment)
        else { return }
        let notice = Popup.notice(
            localized("Messages may not have been sent"),
            localized(
                """
                A new database was created. Some unsent messages could not be read from the old one, which \
                is kept as {file}
                """, ["file": path]),
            category: "im.error")
        // Written before the pop-up is shown: on a full disk, the pop-up would otherwise be shown repeatedly.
        try store.write { try $0.settings.setText(Store.unreadOutbox, to: nil) }
        if await !desktop.screen.tell(notice) {
            try store.write { try $0.settings.setText(Store.unreadOutbox, to: path) }
        }
    }
}
