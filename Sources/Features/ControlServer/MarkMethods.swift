import ControlAPI
import Services
import Store
import VarlinkSocket

/// The handlers for the marks on conversations that exist only on this device.
struct MarkMethods: ControlMethods {
    let service: MarkService

    var implementation: Implementation { Implementation().on(mute).on(unmute).on(markUnread) }

    func mute(_ call: Mute) throws -> Mute.Reply {
        try service.mark(call.conversation, account: call.account) { $0.isMuted = true }
        return .init()
    }

    func unmute(_ call: Unmute) throws -> Unmute.Reply {
        try service.mark(call.conversation, account: call.account) { $0.isMuted = false }
        return .init()
    }

    func markUnread(_ call: MarkUnread) throws -> MarkUnread.Reply {
        try service.mark(call.conversation, account: call.account) { $0.isUnread = true }
        return .init()
    }
}
