import CutieAPI
import Domain
import FeedPolicy
import Runtime
@_spi(EventLog) package import Store

/// The reminders of conversations: ends of snoozes, and conversations that wait for an answer.
extension AccountTransaction {
    /// Stores or removes the snooze of a conversation, according to its marks.
    func updateSnooze(from marks: ConversationMarks, of id: Conversation.ID) throws {
        mayChangeReminders = true
        guard let until = marks.snoozedUntil else {
            return try transaction.reminders.remove(.snooze, of: id, account: account)
        }
        try transaction.reminders.save(
            ReminderRecord(account: account, conversation: id, kind: .snooze, dueAt: until, since: now))
    }

    /// Ends a conversation's snooze if a new message requires it. A reply is announced, so it always ends
    /// the snooze. A message that the user or a colleague wrote ends the snooze only if the reminder is due:
    /// users often write and then snooze the conversation, and the message may be stored after the snooze.
    func endSnoozeIfNeeded(after message: Message, in record: inout ConversationRecord) throws {
        let id = record.conversation.id
        guard !perspective.isNote(message),
            let snooze = try transaction.reminders.find(.snooze, of: id, account: account),
            perspective.isReply(message) || snooze.state != .scheduled
        else { return }
        mayChangeReminders = true
        try transaction.reminders.remove(.snooze, of: id, account: account)
        record.marks.snoozedUntil = nil
    }

    /// Ends a snooze that has expired, and logs the change, so that lists show the conversation again. The
    /// notification is shown later.
    package func endSnooze(_ snooze: ReminderRecord) throws {
        guard var stored = try transaction.reminders.find(.snooze, of: snooze.conversation, account: account),
            stored == snooze
        else { return }
        stored.state = .due
        try transaction.reminders.save(stored)
        let record = try transaction.conversations.find(snooze.conversation, account: account)
        try log(.conversationUpdated, for: record)
    }

    /// Schedules a reminder if the conversation waits for an answer; otherwise removes its reminder. The
    /// delay starts at the first message without an answer.
    func updateWaitReminder(of record: ConversationRecord, after delay: Duration) throws {
        let id = record.conversation.id
        let stored = try transaction.reminders.find(.waiting, of: id, account: account)
        guard waitsForAnswer(record) else {
            guard stored != nil else { return }
            mayChangeReminders = true
            return try transaction.reminders.remove(.waiting, of: id, account: account)
        }
        let since = stored?.since ?? record.sortedAt
        let reminder = ReminderRecord(
            account: account, conversation: id, kind: .waiting, dueAt: since + delay, since: since,
            state: stored?.state ?? .scheduled)
        guard reminder != stored else { return }
        mayChangeReminders = true
        try transaction.reminders.save(reminder)
    }

    /// Returns whether the conversation waits for an answer of the user or, in a support account, of the
    /// support staff, according to its status and the sender of its last message.
    private func waitsForAnswer(_ record: ConversationRecord) -> Bool {
        let conversation = record.conversation
        guard perspective.isSubscribed(to: conversation), !inboxes.areRepliesCountedElsewhere(of: account),
            let sender = record.lastSender
        else { return false }
        return switch perspective {
        case .user: conversation.status == .waitingUser && sender != .user
        case .staff:
            InboxView.waitsForSupport(status: conversation.status.rawValue, lastSender: sender.rawValue)
        }
    }
}

/// Updates reminders, in the same transaction as the stored notifications.
package struct ReminderSchedule {
    private let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Marks reminders as done after they were shown or became obsolete. Skips a reminder that has changed
    /// since it was read.
    package func markDone(_ reminders: [ReminderRecord]) throws {
        for reminder in reminders {
            guard
                var stored = try transaction.reminders.find(
                    reminder.kind, of: reminder.conversation, account: reminder.account),
                stored == reminder
            else { continue }
            stored.state = .done
            try transaction.reminders.save(stored)
        }
    }
}

extension Ingest {
    /// Schedules the reminders of all conversations that wait for an answer, after a change of
    /// `reminderDelay` or of the accounts. Conversations are examined in small groups, so that other tasks
    /// run in between.
    package func rescheduleReminders() async throws {
        for (account, perspective) in perspectives {
            guard reminderDelay(for: perspective) != nil else {
                try store.write { try $0.reminders.removeAll(.waiting, account: account) }
                continue
            }
            let ids = try await store.runLongRead { transaction in
                try transaction.conversations.fetchOpenIDs(of: account)
            }
            for start in stride(from: 0, to: ids.count, by: Self.rescheduledGroup) {
                // Stop if the account was closed while another task ran.
                guard isOpen(account) else { break }
                try performChange(on: account) { change in
                    guard let delay = change.reminderDelay else { return }
                    for id in ids[start..<min(start + Self.rescheduledGroup, ids.count)] {
                        guard let record = try change.transaction.conversations.find(id, account: account)
                        else { continue }
                        try change.updateWaitReminder(of: record, after: delay)
                    }
                }
                await EventLoop.shared.yield()
            }
        }
    }

    private static let rescheduledGroup = 50
}
