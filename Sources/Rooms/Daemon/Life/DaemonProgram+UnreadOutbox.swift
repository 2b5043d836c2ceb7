import CutieAPI
import Desktop
import Inbox
import Logging
import Store

extension DaemonProgram {
    /// Tells once that words of the person may be lost with a database: nobody else can tell which. While
    /// pop-ups are held it waits for the next start.
    func tellOfUnreadOutbox() async throws {
        let store = core.store
        guard let path = try store.read({ try $0.setting(Store.unreadOutbox) }),
            case .show = desktop.announcer.policy.verdictOnNotice(now: core.surroundings.moment)
        else { return }
        let notice = Popup.notice(
            "Messages may not have been sent",
            "A fresh database was begun, and what waited to be sent could not all be read from the former one, "
                + "which is kept as \(path)",
            category: "im.error")
        // Before it is shown: a disk that is full would have it shown again and again.
        try store.write { try $0.setSetting(Store.unreadOutbox, to: nil) }
        do { _ = try await desktop.notifier.show(notice, replacing: nil) } catch {
            core.logger.notice("a notice was not shown", metadata: ["reason": "\(error)"])
            try store.write { try $0.setSetting(Store.unreadOutbox, to: path) }
        }
    }
}
