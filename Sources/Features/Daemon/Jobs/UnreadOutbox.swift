import CutieAPI
import EventLog
import Localization
import Logging
import NotificationPolicy
import Notifications
import Store

extension DaemonProgram {
    /// Notifies the user once that some unsent messages could not be read from a corrupt database. If
    /// notifications are held, shows the notification after the next restart.
    func reportUnreadableOutbox() async throws {
        let store = core.store
        guard let path = try store.read({ try $0.settings.fetchText(ofSetting: MessageStore.unreadOutbox) }),
            case .show = desktop.notificationController.policy.verdictForNotice(
                now: core.runtime.clockReading)
        else { return }
        let notice = DesktopNotification.makeNotice(
            summary: localized("Messages may not have been sent"),
            body: localized(
                """
                A new database was created. Some unsent messages could not be read from the old database, \
                which is kept as {file}.
                """, ["file": path]),
            category: "im.error")
        // Clear the setting before showing the notification: on a full disk, clearing would fail afterwards,
        // and each start would show the notification again.
        try store.write { try $0.settings.setText(ofSetting: MessageStore.unreadOutbox, to: nil) }
        if await !desktop.screen.showNotice(notice) {
            try store.write { try $0.settings.setText(ofSetting: MessageStore.unreadOutbox, to: path) }
        }
    }
}
