import Accounts
import ControlAPI
import EventLog
import Services
import VarlinkSocket

/// The handlers for marking messages as read on all devices, and for clearing the badge on this device.
struct ReadingMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let service: ReadingService
    /// Returns whether messages that a program has displayed are marked as read.
    let marksDisplayedAsRead: () -> Bool

    var implementation: Implementation { Implementation().on(markRead).on(clearBadge) }

    func markRead(_ call: MarkRead) async throws -> MarkRead.Reply {
        let isShown = call.shown == true
        if isShown, !marksDisplayedAsRead() { return .init(conversations: 0, queued: false) }
        let (conversations, isQueued) = try await service.markRead(
            call.conversation, upTo: call.upTo, account: call.account, waitsForServer: !isShown)
        return .init(conversations: conversations, queued: isQueued)
    }

    func clearBadge(_ call: ClearBadge) async throws -> ClearBadge.Reply {
        let chosen = try accounts.findAccounts(named: call.account)
        let isQueued = try await service.clearBadge(
            of: call.conversation, account: call.account, marksRead: call.read == true)
        return .init(badge: try BadgeView(of: chosen, in: ingest), queued: isQueued)
    }
}
