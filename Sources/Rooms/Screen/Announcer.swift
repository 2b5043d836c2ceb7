import Attention
import Config
import ControlAPI
package import CutieAPI
import Desktop
package import Log
package import Logging
import Platform
import Store

/// Makes pop-ups of the messages that wait to be announced: policy, ledger, screen. `ScreenState` says which is
/// next; here the words and the ledger are added.
package final class Announcer {
    private typealias Action = Screen.State.Action

    /// What it is at.
    private enum Activity {
        case working
        /// It waits for something to happen.
        case resting
        /// A reply that came alone, which is how most come, was announced by the transaction that stored it, and
        /// is on its way. `change`: the one that it came with.
        case handed([PopupOwner: PopupNews], [Action], change: Int64)
    }

    let screen: Screen
    let avatars: Avatars
    private let store: Store
    private let pending: PendingReplies
    private let popups: ReplyPopups
    private let presenter: ReplyPresenter
    private let failures: FailureNotices
    private let surroundings: Surroundings
    private let logger: Logger
    private var policy: Policy { screen.attention.policy }
    private let changes = Signal()
    /// Moves when something that was unread may be so no more.
    let reads: Signal
    private var activity = Activity.working
    /// Up to which change of the attention it was looked at what is held; nil: not yet.
    private var released: Int64?
    private var burst = Burst()

    package init(
        ingest: Ingest, screen: Screen, avatars: Avatars, isOpen: @escaping (AccountID) -> Bool,
        surroundings: Surroundings, logger: Logger
    ) {
        (store, reads, self.screen, self.avatars) = (ingest.store, ingest.reads, screen, avatars)
        (self.surroundings, self.logger) = (surroundings, logger)
        let known = KnownAccounts()
        pending = PendingReplies(
            store: store, screen: screen, known: known, isOpen: isOpen,
            perspective: { ingest.perspective(of: $0) }, surroundings: surroundings)
        popups = ReplyPopups(
            store: store, attention: screen.attention, avatars: avatars, known: known,
            surroundings: surroundings)
        presenter = ReplyPresenter(
            store: store, screen: screen, pending: pending, popups: popups, reads: reads)
        failures = FailureNotices(
            store: store, screen: screen, isOpen: isOpen, surroundings: surroundings, logger: logger)
        for signal in [ingest.head.moves, screen.attention.changes, screen.losses] {
            changes.follow(signal)
        }
    }

    package func run() async throws {
        await screen.look()
        // A run before this one may have failed on the way to what was free to go.
        (released, activity) = (nil, .working)
        defer { activity = .working }
        while true {
            if isResting { activity = .working }
            let seen = changes.count
            try await turn()
            try await carryOut(.rested)
            tidyUp()
            activity = .resting
            let wait = [screen.wakeAt, burst.end].compactMap(\.self).min()
                .map { max(.zero, $0 - surroundings.uptime) }
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    var isResting: Bool {
        if case .resting = activity { true } else { false }
    }

    /// Whether a reply is on the screen or on its way there, or a first sync may find some yet.
    package func areRepliesFirst() throws -> Bool { try screen.state.tellsReplies || pending.mayCome() }

    /// After a burst: what it took of memory would be kept. While it goes on all that would be taken again at once,
    /// and what came after the last time would stay.
    private func tidyUp() {
        guard burst.isOver(at: surroundings.uptime) else { return }
        store.settle()
        Memory.giveBack()
    }

    // MARK: - Turns

    private func turn() async throws {
        try await carryOut(.began)
        try await carryOut(.privacy(policy.isPrivate(at: surroundings.moment)))
        if let read = try presenter.read() { try await carryOut(read) }
        let isAll = try await showHanded()
        let (reconsidered, isDue) = (screen.attention.changes.count, screen.consumeWake())
        let mayRelease = isDue || released != reconsidered
        if isAll, !mayRelease { return }
        released = reconsidered
        // Whoever fails says so (`reconsider`): an event alone is no reason to look.
        if mayRelease { try await failures.show() }
        // Without a server nothing is released: to read it all each time would be in vain. With nothing held
        // nobody asks for one: each question asks for the next, and may start a server that ends at once.
        let mayBeHeld = try mayRelease && pending.isAnythingHeld()
        let canRelease = mayBeHeld ? try await isServerThere() : false
        let sorted = try pending.sorted(alsoHeld: canRelease)
        burst.note(sorted.lookedAt, at: surroundings.uptime)
        if sorted.isEmpty { return }
        guard try await isServerThere() else {
            return try pending.hold(sorted.all, why: HoldReason.noServer.words)
        }
        // One that was met just now: what is held goes together with this, in the turn that follows.
        if released != screen.attention.changes.count { return }
        try await show(sorted)
    }

    private func isServerThere() async throws -> Bool {
        await screen.look()
        try await screen.perform(screen.next(.waiting))
        return screen.server != nil
    }

    private func show(_ sorted: SortedPending) async throws {
        let queue = ReplyQueue(
            news: sorted.news.map(\.queued), released: sorted.digest.map(\.queued),
            mostPopups: policy.configuration.maxPopups, isPiece: sorted.isPiece)
        var arranged = screen.state.arranged(queue)
        let items = Dictionary((sorted.news + sorted.digest).map { ($0.owner, $0) }) { first, _ in first }
        let pictures = popups.beginPictures(of: screen.state.haveRoom(in: arranged).compactMap { items[$0] })
        arranged.await(Set(items.values.filter { popups.awaits(pictures, for: $0) }.map(\.owner)))
        try await carryOut(screen.next(.replies(arranged)), items, pictures)
    }

    // MARK: - A reply that comes alone

    /// Announces the one reply that a change brought, in the change's transaction, where nothing speaks against
    /// showing it now: a look at the store and a commit stand no longer between it and its pop-up. Else the turn
    /// that follows sees to it. What is returned is to be called once the change is written, before the head moves.
    package func announce(_ change: Change) throws -> (() -> Void)? {
        guard isResting, released == screen.attention.changes.count, screen.wakeAt == nil,
            var item = try pending.only(in: change)
        else { return nil }
        // A copy: what is not written has not happened.
        var tried = screen.state
        let queue = ReplyQueue(news: [item.queued], mostPopups: policy.configuration.maxPopups)
        let actions = tried.next(.replies(queue), now: surroundings.uptime)
        guard actions.last == .show(item.owner) else { return nil }
        item = try presenter.announced(item, with: change.transaction)
        return { [self, item, tried] in
            screen.commit(tried)
            activity = .handed([item.owner: item], actions, change: changes.count + 1)
        }
    }

    /// True where it was shown and is all that there is to do. What is not shown here still waits in the store.
    private func showHanded() async throws -> Bool {
        guard case .handed(let items, let actions, let change) = activity else { return false }
        activity = .working
        try await carryOut(actions, items, popups.beginPictures(of: Array(items.values)))
        return changes.count == change && screen.server != nil
    }

    // MARK: - Carrying out

    private func carryOut(_ input: Screen.State.Input) async throws {
        try await carryOut(screen.next(input), [:], nil)
    }

    /// Does what the state says, and what that says of the outcome. `items`: what there is to show.
    private func carryOut(
        _ actions: [Action], _ items: [PopupOwner: PopupNews], _ pictures: Avatars.Wait?
    ) async throws {
        var actions = actions
        var refused: (messages: [MessageRecord], reason: String) = ([], "")
        while !actions.isEmpty {
            var showing: ReplyPresenter.Showing?
            switch actions.removeFirst() {
            case .show(let owner):
                try Task.checkCancellation()
                guard let item = items[owner] else { break }
                // It may be read while its picture is waited for.
                if let pictures, popups.awaits(pictures, for: item) { try await avatars.finish(pictures) }
                showing = try await presenter.show(item)
            case .summarise(let owners):
                showing = try await presenter.summarise(owners.compactMap { items[$0] })
            case .hideWords(let owner): try await presenter.hideWords(of: owner)
            case .postpone(let owners, let reason):
                try pending.hold(owners.compactMap { items[$0] }.flatMap(\.messages), why: reason.words)
            case .retry(let lost):
                try pending.refuse(refused.messages, butFor: lost, because: refused.reason)
            case let other: try await screen.perform(other)
            }
            guard let showing else { continue }
            if case .refused(let reason) = showing.outcome { refused = (showing.messages, reason) }
            actions += screen.next(.outcome(try result(of: showing)))
        }
    }

    private func result(of showing: ReplyPresenter.Showing) throws -> ReplyOutcome {
        switch showing.outcome {
        case nil: return .over
        case .shown: return .shown
        case .refused(let reason):
            logger.warning(
                "the notification server refuses a pop-up", metadata: ["reason": "\(reason)"])
            return .refused
        case .failed(let error):
            if let error { try pending.step(.held, "\(error)", showing.messages, pending: true) }
            return .failed
        }
    }
}

/// Many messages that came together: how many were looked at, and when that will have been all.
private struct Burst {
    /// Fewer take no memory worth a look.
    private static let least = 500
    private var count = 0
    /// nil where there is none.
    private(set) var end: Duration?

    /// Each piece of it puts its end off.
    mutating func note(_ messages: Int, at now: Duration) {
        guard messages > 0 else { return }
        count += messages
        if count >= Self.least { end = now + .seconds(2) }
    }

    /// True once for each.
    mutating func isOver(at now: Duration) -> Bool {
        guard let end, end <= now else { return false }
        self = Burst()
        return true
    }
}

extension HoldReason {
    /// As the ledger tells it.
    fileprivate var words: String {
        switch self {
        case .noServer: NotificationHold(.noServer).words(in: .current)
        case .tooMany(let most): "more than \(most) pop-ups"
        case .serverRefuses: "the notification server refuses pop-ups"
        }
    }
}
