import Accounts
import ControlAPI
import CutieAPI
import Domain
import EventLog
import NotificationPolicy
import Notifications
import Reasons
import Store
import VarlinkSocket

/// The handlers for pausing and disabling notifications.
struct NotificationMethods: ControlMethods {
    /// The maximum length of a pause, in seconds.
    private static let maxPause = 10 * 366 * 86_400

    let notificationController: NotificationController
    let screen: NotificationScreen
    let accounts: AccountRegistry
    let ingest: Ingest
    let questions: Questions
    let runtime: RuntimeEnvironment

    var implementation: Implementation {
        Implementation().on(pause).on(resume).on(updateNotificationSetting).onStream(Attend.self) {
            call, replies in
            try await suppressReplyNotifications(during: call.parameters) {
                try await replies.send(Attend.Reply())
            }
        }
        .onStream(AttendQuestions.self) { _, replies in
            try await suppressQuestionNotifications { try await replies.send(AttendQuestions.Reply()) }
        }
    }

    /// Suppresses notifications of a conversation until the caller disconnects. Includes other accounts of
    /// the same shared inbox, because they may receive the same replies.
    func suppressReplyNotifications(during call: Attend, onBegin: () async throws -> Void) async throws {
        let account = try accounts.findAccount(withConversation: call.conversation, named: call.account)
            .account
            .id
        let owners = ([account] + ingest.inboxes.siblings(of: account)).map {
            NotificationOwner.reply($0, Conversation.ID(call.conversation))
        }
        notificationController.beginDisplayingConversations(of: owners)
        defer { notificationController.endDisplayingConversations(of: owners) }
        try await onBegin()
        try await ChangeSignal().wait(past: 0)
    }

    /// Suppresses the notifications of questions until the caller disconnects.
    func suppressQuestionNotifications(onBegin: () async throws -> Void) async throws {
        notificationController.beginDisplayingQuestions()
        defer { notificationController.endDisplayingQuestions() }
        try await onBegin()
        try await ChangeSignal().wait(past: 0)
    }

    func pause(_ call: Pause) throws -> Pause.Reply {
        if let seconds = call.seconds, !(1...Self.maxPause).contains(seconds) {
            throw ServiceError.invalidArgument(
                parameter: "seconds",
                reason: Reason(.valueOutOfRange, ["least": "1", "most": String(Self.maxPause)]))
        }
        let now = runtime.clockReading
        let end = call.seconds.map { now.uptime + .seconds($0) }
        let pause = Policy.Pause(end: end, isPrivate: call.private ?? false)
        try notificationController.setPause(pause)
        return Pause.Reply(
            pausedUntil: pause.wallClockEndTime(using: now)?.milliseconds, private: pause.isPrivate)
    }

    func resume(_: Resume) throws -> Resume.Reply {
        try notificationController.setPause(nil)
        return Resume.Reply()
    }

    func updateNotificationSetting(_ call: Notifications) throws -> Notifications.Reply {
        if let enabled = call.enabled {
            try notificationController.setEnabled(enabled)
            try questions.closeQuestions(of: .permission, as: .closed)
        }
        return Notifications.Reply(
            enabled: notificationController.policy.isEnabled, holds: screen.holds.map { HoldView($0) })
    }
}
