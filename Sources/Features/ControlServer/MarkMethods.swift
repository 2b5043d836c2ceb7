import ControlAPI
import CutieAPI
import Services
import Store
import VarlinkSocket

/// The handlers for the local marks of conversations, such as snoozes, which are not sent to the server.
struct MarkMethods: ControlMethods {
    let service: MarkService

    var implementation: Implementation {
        Implementation().on(mute).on(unmute).on(markUnread).on(snooze).on(unsnooze)
    }

    func mute(_ call: Mute) throws -> Mute.Reply {
        try service.mute(call.conversation, account: call.account)
        return .init()
    }

    func unmute(_ call: Unmute) throws -> Unmute.Reply {
        try service.updateMarks(of: call.conversation, account: call.account) { $0.isMuted = false }
        return .init()
    }

    func snooze(_ call: Snooze) throws -> Snooze.Reply {
        try service.snooze(
            call.conversation, account: call.account, until: Timestamp(milliseconds: call.until))
        return .init()
    }

    func unsnooze(_ call: Unsnooze) throws -> Unsnooze.Reply {
        try service.updateMarks(of: call.conversation, account: call.account) { $0.snoozedUntil = nil }
        return .init()
    }

    func markUnread(_ call: MarkUnread) throws -> MarkUnread.Reply {
        try service.updateMarks(of: call.conversation, account: call.account) { $0.isUnread = true }
        return .init()
    }
}
