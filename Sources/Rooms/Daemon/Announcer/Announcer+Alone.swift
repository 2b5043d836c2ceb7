import CutieAPI
import Inbox
import Store

/// A reply that comes alone, which is how most come: its `announcing` is written by the transaction that stores
/// it, and a look at the store and a commit stand no longer between it and its pop-up.
extension Announcer {
    struct InHand {
        let item: PopupNews
        /// The reads that were known: after another one it may be read.
        let reads: Int64
        /// The change that it came with.
        let change: Int64
    }

    /// Takes the one reply that a change brought in hand, where nothing speaks against showing it now; else the
    /// turn that follows sees to it. What is returned is to be called once the change is written, before the
    /// head moves.
    func takeInHand(_ change: Change) throws -> (() -> Void)? {
        guard isIdle, inHand == nil, server != nil, !mayRelease, wakeAt == nil,
            let item = try alone(in: change), let message = item.messages.first,
            policy.verdict(on: item.subject(message), now: surroundings.moment) == .show,
            hasRoom(for: item.key), takeToken()
        else { return nil }
        let announced = try step(.announcing, nil, item.messages, pending: true, in: change.transaction)
        guard !announced.isEmpty else { return nil }
        return { [self] in inHand = InHand(item: item, reads: reads.value, change: changes.value + 1) }
    }

    private func alone(in change: Change) throws -> PopupNews? {
        guard change.fresh.count == 1, let message = change.fresh.first,
            let conversation = change.conversation?.conversation,
            conversation.id == message.message.conversation
        else { return nil }
        return PopupNews(
            account: message.account, id: conversation.id, conversation: conversation,
            appID: try change.transaction.account(message.account)?.appID, messages: [message])
    }

    /// True where it was shown and is all that there is to do. What is not shown here still waits in the store.
    func showWhatIsInHand() async throws -> Bool {
        // It may be read while its picture is waited for.
        if let item = inHand?.item { try await avatars.finish(beginPictures(of: [item])) }
        guard let hand = exchange(&inHand, with: nil), hand.reads == reads.value, server != nil else {
            return false
        }
        try await showAnnounced(hand.item)
        return changes.value == hand.change
    }
}
