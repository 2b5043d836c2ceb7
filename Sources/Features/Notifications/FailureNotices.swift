import CutieAPI
package import EventLog
import Localization
package import Logging
import NotificationPolicy
import Reasons
@_spi(Notifications) import Store

/// Shows a notification, once, for each message that could not be sent, unless another program has reported
/// the failure. The text remains in the outbox. The notification closes when the message is discarded or
/// retried.
package struct FailureNotices {
    /// The maximum number of separate notifications. If more messages have failed, they share one
    /// notification.
    private static let maxPopups = 3

    private let log: LogWriter
    private let screen: NotificationScreen
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private var store: MessageStore { log.store }
    private var policy: Policy { screen.notificationController.policy }

    package init(
        log: LogWriter, screen: NotificationScreen, runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.log, self.screen) = (log, screen)
        (self.runtime, self.logger) = (runtime, logger)
    }

    func showAll() async throws {
        try await closeNoticesOfRetriedItems()
        let failed = try store.read { try $0.outbox.fetchUnreportedFailures() }.filter {
            log.isOpen($0.account)
        }
        guard !failed.isEmpty else { return }
        let now = runtime.clockReading
        switch policy.verdictForNotice(now: now) {
        case .suppress: return try setReported(true, for: failed)
        case .hold(_, let until): return screen.scheduleWake(at: until, now: now.time)
        case .show: break
        }
        guard await !screen.notificationController.isHeldByScreenLock() else {
            return screen.scheduleLockCheck()
        }
        let groups = failed.count > Self.maxPopups ? [failed] : failed.map { [$0] }
        for group in groups { guard try await showNotice(about: group) else { return } }
    }

    /// Shows one notification for `items` and marks the items as reported. Returns `false` if no server
    /// accepted it.
    private func showNotice(about items: [OutboxRecord]) async throws -> Bool {
        let owner = NotificationOwner.failure(items.map(\.id))
        await screen.queryServerIfUnknown()
        let actions = screen.handle(.notice(owner))
        guard actions == [.show(owner)] else {
            try await screen.perform(actions)
            return false
        }
        let notification = try makeNotification(about: items)
        // Mark the failures as reported before the notification is shown. If the mark could not be stored
        // afterward, for example on a full disk, the notification would be shown repeatedly.
        try setReported(true, for: items)
        do {
            switch try await screen.show(notification, for: owner) {
            case .shown: return true
            case .refused(let reason):
                logger.warning("a notice was refused", metadata: ["reason": "\(reason)"])
                try await screen.perform(screen.handle(.refused))
            case .failed: break
            }
        } catch {
            if !screen.hasNotification(for: owner) { try setReported(false, for: items) }
            throw error
        }
        try setReported(false, for: items)
        return false
    }

    private func makeNotification(about items: [OutboxRecord]) throws -> DesktopNotification {
        let text = try makeText(about: items)
        var notification = DesktopNotification.makeNotice(
            summary: text.summary, body: text.body, category: "im.error")
        notification.actions = [.init(.retry, label: localized("Try Again"))]
        if items.count == 1, items[0].conversation != nil {
            notification.actions.append(.init(.open, label: localized("Open")))
        }
        return notification
    }

    private func makeText(about items: [OutboxRecord]) throws -> NotificationText {
        let reason = (items.last?.error ?? Reason(.apiRefused)).localizedForNotification
        guard let item = items.first, items.count == 1 else {
            return .failures(count: items.count, reason: reason)
        }
        let payload = try? JSON.decode(OutboxPayload.self, from: item.payload.utf8)
        let title = try item.conversation.flatMap { id in
            try store.read { try $0.conversations.find(id, account: item.account) }?.conversation.title
        }
        return .failure(
            inConversation: title ?? payload?.title, text: payload?.text ?? "", reason: reason,
            preview: policy.preview(at: runtime.clockReading))
    }

    private func setReported(_ isReported: Bool, for items: [OutboxRecord]) throws {
        try store.write { transaction in
            for item in items { try transaction.outbox.setReported(item.id, isReported: isReported) }
        }
    }

    private func closeNoticesOfRetriedItems() async throws {
        for case .failure(let items) in screen.state.notifications.keys {
            let failed = try store.read { transaction in
                try items.contains { try transaction.outbox.findItem($0)?.state == .failed }
            }
            if !failed { try await screen.closeNotification(of: .failure(items), because: .finished) }
        }
    }
}
