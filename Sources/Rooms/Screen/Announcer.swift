import Attention
import Config
import ControlAPI
package import CutieAPI
import Desktop
package import Log
package import Logging
import Platform
import Store

/// Shows pending messages as pop-ups, as the policy allows, and records each step in the ledger.
/// `ScreenState` decides which message is next; the announcer adds the texts and the ledger entries.
package final class Announcer {
    private typealias Action = Screen.State.Action

    private enum Activity {
        case working
        /// Waits for a change or a timer.
        case resting
        /// A single new reply, which is the usual case. The transaction that stored the message has already
        /// recorded it as announced; the next turn shows it. `change`: the value of `changes.count` after
        /// that transaction.
        case handed([PopupOwner: PopupNews], [Action], change: Int64)
    }

    let screen: Screen
    let avatars: Avatars
    private let store: Store
    private let head: Head
    private let pending: PendingReplies
    private let popups: ReplyPopups
    private let presenter: ReplyPresenter
    private let failures: FailureNotices
    private let surroundings: Surroundings
    private let logger: Logger
    private var policy: Policy { screen.attention.policy }
    private let changes = Signal()
    /// Notifies when unread messages may have been read.
    let reads: Signal
    private var activity = Activity.working
    /// The value of `screen.attention.changes.count` when held messages were last examined; `nil` before the
    /// first time.
    private var released: Int64?
    private var burst = Burst()

    package init(
        ingest: Ingest, screen: Screen, avatars: Avatars, isOpen: @escaping (AccountID) -> Bool,
        surroundings: Surroundings, logger: Logger
    ) {
        (store, head, reads) = (ingest.store, ingest.head, ingest.reads)
        (self.screen, self.avatars) = (screen, avatars)
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

    /// Announces messages until the task is cancelled.
    package func run() async throws {
        await screen.look()
        // A previous run may have failed before showing released messages, so start over.
        (released, activity) = (nil, .working)
        defer {
            activity = .working
            head.releaseReaders()
        }
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

    /// Returns whether a reply is on the screen or about to be shown, or a first sync may still find replies.
    package func areRepliesFirst() throws -> Bool { try screen.state.tellsReplies || pending.mayCome() }

    /// Returns memory to the system after a burst of messages. During a burst, the same memory would be
    /// allocated again at once, and the memory of the last messages would never be returned.
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
        // A failure calls `reconsider`, so a new event alone needs no query for failures.
        if mayRelease { try await failures.show() }
        // Without a server nothing is released, so do not read the held messages on every turn. If nothing is
        // held, do not query the server: each query triggers the next one, and may start a D-Bus service that
        // exits at once.
        let mayBeHeld = try mayRelease && pending.isAnythingHeld()
        let canRelease = mayBeHeld ? try await isServerThere() : false
        let sorted = try pending.sorted(alsoHeld: canRelease)
        burst.note(sorted.lookedAt, at: surroundings.uptime)
        if sorted.isEmpty { return }
        guard try await isServerThere() else {
            return try pending.hold(sorted.all, why: HoldReason.noServer.words)
        }
        // The server was met only now. The next turn shows held messages together with these.
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

    // MARK: - A single reply

    /// Announces the only reply of a change in the transaction of that change, if the reply may be shown now.
    /// This saves a read and a commit between the event and its pop-up. Otherwise the next turn handles the
    /// reply.
    ///
    /// - Returns: a function to call after the commit and before the head moves; `nil` if the next turn
    ///   handles it.
    package func announce(_ change: Change) throws -> (() -> Void)? {
        guard isResting, released == screen.attention.changes.count, screen.wakeAt == nil,
            var item = try pending.only(in: change)
        else { return nil }
        // Work on a copy, because the transaction may still be rolled back.
        var tried = screen.state
        let queue = ReplyQueue(news: [item.queued], mostPopups: policy.configuration.maxPopups)
        let actions = tried.next(.replies(queue), now: surroundings.uptime)
        guard actions.last == .show(item.owner) else { return nil }
        item = try presenter.announced(item, with: change.transaction)
        return { [self, item, tried] in
            screen.commit(tried)
            activity = .handed([item.owner: item], actions, change: changes.count + 1)
            head.holdReaders()
        }
    }

    /// The time after which watchers learn of a reply even if the notification server has not answered.
    private static let patience: Duration = .milliseconds(20)

    /// Releases the readers of the log after `patience`, unless cancelled.
    private func releaseReaders() async {
        if (try? await surroundings.sleep(Self.patience)) != nil { head.releaseReaders() }
    }

    /// True where it was shown and is all that there is to do. What is not shown here still waits in the store.
    private func showHanded() async throws -> Bool {
        guard case .handed(let items, let actions, let change) = activity else { return false }
        activity = .working
        let pictures = popups.beginPictures(of: Array(items.values))
        if head.areReadersHeld {
            async let release: Void = releaseReaders()
            defer { head.releaseReaders() }
            try await carryOut(actions, items, pictures)
        } else {
            try await carryOut(actions, items, pictures)
        }
        return changes.count == change && screen.server != nil
    }

    // MARK: - Actions

    private func carryOut(_ input: Screen.State.Input) async throws {
        try await carryOut(screen.next(input), [:], nil)
    }

    /// Carries out `actions` and the actions that follow from their outcomes. `items`: the replies by owner.
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
                // The message may be read while its picture is being fetched.
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
                "the notification server refused a pop-up", metadata: ["reason": "\(reason)"])
            return .refused
        case .failed(let error):
            if let error { try pending.step(.held, "\(error)", showing.messages, pending: true) }
            return .failed
        }
    }
}

/// Counts the messages of a burst, and computes when the burst is over.
private struct Burst {
    /// Smaller bursts allocate too little memory to clean up after.
    private static let least = 500
    private var count = 0
    /// Uptime; `nil` if there is no burst.
    private(set) var end: Duration?

    /// Adds messages and postpones the end of the burst.
    mutating func note(_ messages: Int, at now: Duration) {
        guard messages > 0 else { return }
        count += messages
        if count >= Self.least { end = now + .seconds(2) }
    }

    /// Returns `true` once per burst, after its end.
    mutating func isOver(at now: Duration) -> Bool {
        guard let end, end <= now else { return false }
        self = Burst()
        return true
    }
}

extension HoldReason {
    /// The text for the ledger.
    fileprivate var words: String {
        switch self {
        case .noServer: NotificationHold(.noServer).words(in: .current)
        case .tooMany(let most): "more than \(most) pop-ups"
        case .serverRefuses: "the notification server refuses pop-ups"
        }
    }
}
