import Config
import CutieAPI
package import EventLog
import FeedPolicy
import Localization
package import Logging
import NotificationPolicy
import Store

/// Ends snoozes on time, and shows a notification for each snooze that ended and for each conversation that
/// has been waiting for an answer. Reminders are stored: reminders that became due while the daemon was not
/// running are shown at startup. The only timer is for the next reminder.
package final class Reminders {
    /// The maximum number of separate notifications. If more reminders are due, they share one notification.
    private static let maxPopups = 3
    /// The maximum number of reminders that one read returns per account. The next read returns the
    /// remaining reminders.
    private static let batch = 200

    private let ingest: Ingest
    let screen: NotificationScreen
    private let runtime: RuntimeEnvironment
    private let logger: Logger
    private var notificationController: NotificationController { screen.notificationController }
    private let changes = ChangeSignal()
    /// The settings and accounts with which all conversations were last examined; `nil` before the first
    /// time.
    private var scheduled: Schedule?

    private struct Schedule: Equatable {
        let perspectives: [AccountID: Perspective]
        let delays: [AccountID: Duration]

        init(_ ingest: Ingest) {
            perspectives = ingest.perspectives
            delays = perspectives.compactMapValues(ingest.reminderDelay(for:))
        }
    }

    package init(
        ingest: Ingest, screen: NotificationScreen, runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.ingest, self.screen) = (ingest, screen)
        (self.runtime, self.logger) = (runtime, logger)
        let notificationController = screen.notificationController
        for signal in [
            ingest.reminderSignal, ingest.stateSignal, notificationController.changes,
            notificationController.openings,
            screen.disconnections, screen.adoptions,
        ] {
            changes.follow(signal)
        }
    }

    /// Shows reminders until the task is cancelled.
    package func run() async throws {
        scheduled = nil
        while true {
            let seen = changes.count
            let wait = try await showDueReminders()
            try await runtime.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// Ends snoozes that are due, shows the due reminders, and closes outdated reminders. Returns the maximum
    /// time until the next call; `nil` for no limit.
    private func showDueReminders() async throws -> Duration? {
        try await rescheduleIfSettingsChanged()
        try await closeOutdatedReminders()
        let now = runtime.now()
        var all = try fetchNextReminders()
        let ended = all.filter { $0.kind == .snooze && $0.state == .scheduled && $0.dueAt <= now }
        if !ended.isEmpty {
            for snooze in ended { try ingest.performChange(on: snooze.account) { try $0.endSnooze(snooze) } }
            all = try fetchNextReminders()
        }
        let next = all.map(\.dueAt).filter { $0 > now }.min().map(runtime.duration(until:))
        let later = try await showReminders(all.filter { $0.dueAt <= now })
        return [next, later].compactMap(\.self).min()
    }

    /// Schedules the reminders of all conversations at startup and after the settings have changed. Later
    /// changes of a conversation update its reminder when they are stored.
    private func rescheduleIfSettingsChanged() async throws {
        let schedule = Schedule(ingest)
        guard schedule != scheduled else { return }
        try await ingest.rescheduleReminders()
        scheduled = schedule
    }

    /// Returns the next reminders of each account whose first sync is complete. During a first sync, each
    /// fetched conversation would otherwise cause a separate notification.
    private func fetchNextReminders() throws -> [ReminderRecord] {
        try ingest.store.read { transaction in
            try transaction.accounts.fetchAll().filter { $0.syncedAt != nil && ingest.isOpen($0.id) }.flatMap
            {
                try transaction.reminders.fetchOpen(account: $0.id, limit: Self.batch)
            }
        }
    }
}

// MARK: - Showing

extension Reminders {
    /// A reminder with the data for its notification.
    private struct Item {
        let reminder: ReminderRecord
        let record: ConversationRecord
        /// The newest reply; `nil` if none is stored.
        let newest: MessageRecord?
        let reader: UserRole
        var owner: NotificationOwner { .reminder(reminder.account, reminder.conversation) }
    }

    /// Shows reminders that are due. Returns the time until the next attempt; `nil` if all were shown or
    /// dropped, or if a signal reports when they may be shown.
    private func showReminders(_ due: [ReminderRecord]) async throws -> Duration? {
        guard !due.isEmpty else { return nil }
        var (wanted, dropped): ([Item], [ReminderRecord]) = ([], [])
        var waits: [Duration] = due.count < Self.batch ? [] : [.zero]
        for reminder in due {
            guard let item = try findItem(for: reminder) else {
                dropped.append(reminder)
                continue
            }
            switch verdict(on: item) {
            case .show: wanted.append(item)
            case .suppress: dropped.append(reminder)
            case .hold(_, let until): if let until { waits.append(runtime.duration(until: until)) }
            }
        }
        try recordCompletion(of: dropped)
        if !wanted.isEmpty {
            // Read the next batch immediately only if this call showed or dropped reminders; otherwise, a
            // batch of held reminders would be read in a loop.
            if let wait = try await showUnlessLocked(wanted) { waits.append(wait) }
        } else if dropped.isEmpty {
            waits.removeAll { $0 == .zero }
        }
        return waits.min()
    }

    private func showUnlessLocked(_ items: [Item]) async throws -> Duration? {
        guard await !notificationController.isHeldByScreenLock() else {
            return NotificationController.lockInterval
        }
        let groups = items.count > Self.maxPopups ? [items] : items.map { [$0] }
        for group in groups {
            if let wait = try await showNotification(for: group) { return wait }
        }
        return nil
    }

    /// Shows one notification for a group of reminders. Returns the time until the next attempt; `nil` if the
    /// notification was shown.
    private func showNotification(for group: [Item]) async throws -> Duration? {
        guard let first = group.first else { return nil }
        await screen.queryServerIfUnknown()
        let actions = screen.handle(.notice(first.owner))
        guard actions == [.show(first.owner)] else {
            try await screen.perform(actions)
            return wakeDelay(in: actions)
        }
        let facts = ShownNotification(id: 0, lastSequence: first.record.newestSequence)
        // If the daemon is killed before the notification is recorded, the next run shows the notification
        // again.
        let outcome = try await screen.show(
            makeNotification(about: group), for: first.owner, details: facts,
            record: { transaction, _ in
                try ReminderSchedule(transaction).markDone(group.map(\.reminder))
            })
        switch outcome {
        case .shown: return nil
        case .refused(let reason):
            logger.info("a reminder was refused", metadata: ["reason": "\(reason)"])
            return wakeDelay(in: screen.handle(.refused))
        case .failed: return wakeDelay(in: screen.handle(.waiting)) ?? .seconds(1)
        }
    }

    private func wakeDelay(in actions: [NotificationScreen.State.Action]) -> Duration? {
        actions.compactMap {
            if case .wake(let time) = $0 { max(.zero, time - runtime.uptime) } else { nil }
        }
        .min()
    }

    private func recordCompletion(of reminders: [ReminderRecord]) throws {
        guard !reminders.isEmpty else { return }
        try ingest.store.write { try ReminderSchedule($0).markDone(reminders) }
    }

    /// Returns a reminder with its conversation; `nil` if the reminder is obsolete: the conversation has
    /// ended, is muted, is snoozed or is visible to the user, the account is not open, or another account
    /// of the same inbox shows the reminder.
    private func findItem(for reminder: ReminderRecord) throws -> Item? {
        guard !ingest.inboxes.areRepliesCountedElsewhere(of: reminder.account) else { return nil }
        return try ingest.store.read { transaction in
            let (id, account) = (reminder.conversation, reminder.account)
            guard let record = try transaction.conversations.find(id, account: account),
                mayShowReminder(for: record)
            else { return nil }
            var newest: MessageRecord?
            try transaction.messages.forEachMessage(in: id, account: account, limit: 50) {
                guard $0.isReply else { return true }
                newest = $0
                return false
            }
            let isUser = ingest.perspective(of: account) == .user
            return Item(reminder: reminder, record: record, newest: newest, reader: isUser ? .user : .staff)
        }
    }

    private func mayShowReminder(for record: ConversationRecord) -> Bool {
        let account = record.account
        return record.conversation.ending == nil && record.marks.snoozedUntil == nil && !record.marks.isMuted
            && ingest.isOpen(account)
            && !notificationController.isConversationDisplayed(for: .reply(account, record.conversation.id))
    }

    /// Returns the verdict on a reminder. The reminder is treated like a reply in its conversation or, if no
    /// reply is stored, like a failure notice.
    private func verdict(on item: Item) -> Policy.Verdict {
        let now = runtime.clockReading
        guard let newest = item.newest else {
            return notificationController.policy.verdictForNotice(now: now)
        }
        let account = item.reminder.account
        let appID = try? ingest.store.read { try $0.accounts.find(account)?.appID }
        let subject = NotificationSubject(newest.message, in: item.record.conversation, appID: appID)
        return notificationController.verdict(
            on: subject, of: .reply(account, item.reminder.conversation), at: now)
    }

    /// Closes reminders on the screen whose conversation was answered, opened, muted, snoozed or ended.
    private func closeOutdatedReminders() async throws {
        for case .reminder(let account, let id) in screen.state.notifications.keys {
            let isOutdated = try ingest.store.read { transaction in
                guard let record = try transaction.conversations.find(id, account: account),
                    mayShowReminder(for: record)
                else { return true }
                let kinds: [ReminderRecord.Kind] = [.snooze, .waiting]
                return try kinds.allSatisfy {
                    try transaction.reminders.find($0, of: id, account: account) == nil
                }
            }
            if isOutdated {
                try await screen.closeNotification(of: .reminder(account, id), because: .finished)
            }
        }
    }
}

// MARK: - The notification

extension Reminders {
    private func makeNotification(about items: [Item]) -> DesktopNotification {
        let preview = notificationController.policy.preview(at: runtime.clockReading)
        let text =
            items.count > 1
            ? NotificationText.reminders(titles: items.map { $0.record.conversation.title }, preview: preview)
            : NotificationText.reminder(
                title: items[0].record.conversation.title, isSnooze: items[0].reminder.kind == .snooze,
                role: items[0].reader, preview: preview)
        var notification = DesktopNotification(text)
        notification.stackTag =
            "cutied-reminder-\(items[0].reminder.account.rawValue)-\(items[0].record.conversation.id)"
        notification.actions = [.init(.open, label: localized("Open"))]
        if items.count == 1 { notification.actions.append(.init(.reply, label: localized("Reply"))) }
        notification.sound = DesktopNotification.Sound(notificationController.policy.configuration.sound)
        return notification
    }
}
