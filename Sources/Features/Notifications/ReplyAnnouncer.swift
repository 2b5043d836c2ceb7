import Config
package import CutieAPI
package import EventLog
package import Logging
import NotificationPolicy
import Platform
import Store

/// Shows pending messages as notifications, as the policy allows, and records each step in the ledger.
/// `NotificationState` decides which message is next; the announcer adds the texts and the ledger entries.
package final class ReplyAnnouncer {
    private typealias Action = NotificationManager.State.Action

    private enum Activity {
        case working
        /// Waits for a change or a timer.
        case idle
        /// A single new reply, which is the usual case. The transaction that stored the message has already
        /// recorded it as announced; the next step shows it. `change`: the value of `changes.count` after
        /// that transaction.
        case showing([NotificationOwner: ReplyGroup], [Action], change: Int64)
    }

    let screen: NotificationManager
    let avatars: Avatars
    private let store: MessageStore
    private let head: SequenceHead
    private let pending: PendingReplies
    private let notifications: ReplyNotifications
    private let presenter: ReplyPresenter
    private let failures: FailureNotices
    private let surroundings: RuntimeEnvironment
    private let logger: Logger
    private var policy: Policy { screen.attention.policy }
    private let changes = ChangeSignal()
    /// Notifies when unread messages may have been read.
    let reads: ChangeSignal
    private var activity = Activity.working
    /// The count of `changes` whose replies were examined, when idle.
    private var examined: Int64 = 0
    /// The value of `screen.attention.changes.count` when held messages were last examined; `nil` before the
    /// first time.
    private var released: Int64?
    private var burst = Burst()

    package init(
        ingest: Ingest, screen: NotificationManager, avatars: Avatars, isOpen: @escaping (AccountID) -> Bool,
        surroundings: RuntimeEnvironment, logger: Logger
    ) {
        (store, head, reads) = (ingest.store, ingest.head, ingest.readSignal)
        (self.screen, self.avatars) = (screen, avatars)
        (self.surroundings, self.logger) = (surroundings, logger)
        let known = KnownAccounts()
        pending = PendingReplies(
            store: store, screen: screen, known: known, isOpen: isOpen,
            perspective: { ingest.perspective(of: $0) }, surroundings: surroundings)
        notifications = ReplyNotifications(
            store: store, attention: screen.attention, avatars: avatars, known: known,
            surroundings: surroundings)
        presenter = ReplyPresenter(
            store: store, screen: screen, pending: pending, notifications: notifications, reads: reads)
        failures = FailureNotices(
            store: store, screen: screen, isOpen: isOpen, surroundings: surroundings, logger: logger)
        for signal in [ingest.head.advances, screen.attention.changes, screen.disconnections] {
            changes.follow(signal)
        }
    }

    /// Announces messages until the task is cancelled.
    package func run() async throws {
        await screen.checkServer()
        // A previous run may have failed before showing released messages, so start over.
        (released, activity) = (nil, .working)
        defer {
            activity = .working
            head.resumeReaders()
        }
        while true {
            if isIdle { activity = .working }
            let seen = changes.count
            try await step()
            try await perform(.idle)
            closeOutdatedNotifications()
            (activity, examined) = (.idle, seen)
            let wait = [screen.wakeAt, burst.end].compactMap(\.self).min()
                .map { max(.zero, $0 - surroundings.uptime) }
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    var isIdle: Bool {
        if case .idle = activity { true } else { false }
    }

    /// Returns whether a reply is on the screen or about to be shown, or a first sync may still find replies.
    package func hasPendingReplies() throws -> Bool {
        try screen.state.announcesReplies || pending.mayHaveReplies()
    }

    /// Returns memory to the system after a burst of messages. During a burst, the same memory would be
    /// allocated again at once, and the memory of the last messages would never be returned.
    private func closeOutdatedNotifications() {
        guard burst.isOver(at: surroundings.uptime) else { return }
        store.waitUntilIdle()
        Memory.releaseMemory()
    }

    // MARK: - Turns

    private func step() async throws {
        try await perform(.started)
        try await perform(.privacy(policy.isPrivate(at: surroundings.reading)))
        for owner in screen.attention.takePutAside() { try await screen.close(owner, because: .finished) }
        if let read = try presenter.read() { try await perform(read) }
        let isAll = try await showNext()
        let (reconsidered, isDue) = (screen.attention.changes.count, screen.consumeWake())
        let mayRelease = isDue || released != reconsidered
        if isAll, !mayRelease { return }
        released = reconsidered
        // A failure calls `reevaluate`, so a new event alone needs no query for failures.
        if mayRelease { try await failures.show() }
        // Without a server nothing is released, so do not read the held messages on every step. If nothing is
        // held, do not query the server: each query triggers the next one, and may start a D-Bus service that
        // exits at once.
        let mayBeHeld = try mayRelease && pending.hasHeldReplies()
        let isReleasePossible = mayBeHeld ? await !isStillLocked() : false
        let canRelease = isReleasePossible ? try await hasServer() : false
        let sorted = try pending.sorted(alsoHeld: canRelease)
        burst.add(sorted.examinedCount, at: surroundings.uptime)
        if sorted.isEmpty { return }
        guard try await hasServer() else {
            return try pending.hold(sorted.all, reason: HoldReason.noServer.logText)
        }
        // The server has just been adopted. The next step shows held messages together with these.
        if released != screen.attention.changes.count { return }
        try await show(sorted)
    }

    /// Returns whether messages are held because the screen is still locked, without reading all of them.
    private func isStillLocked() async -> Bool {
        guard policy.isHeldByLock, await screen.attention.isHeldByLock() else { return false }
        screen.scheduleLockCheck()
        return true
    }

    /// Holds messages if the screen is locked and the configuration wants that. Returns whether they are
    /// held. The query runs while pictures are fetched.
    private func holdIfLocked(_ messages: @autoclosure () -> [MessageRecord]) async throws -> Bool {
        guard await screen.attention.isHeldByLock() else { return false }
        try pending.hold(messages(), reason: Policy.lockReason)
        screen.scheduleLockCheck()
        return true
    }

    private func hasServer() async throws -> Bool {
        await screen.checkServer()
        try await screen.perform(screen.next(.waiting))
        return screen.server != nil
    }

    private func show(_ sorted: SortedPending) async throws {
        let queue = ReplyQueue(
            news: sorted.news.map(\.queued), released: sorted.digest.map(\.queued),
            maxPopups: policy.configuration.maxPopups, isPartial: sorted.isPartial)
        var arranged = screen.state.arranged(queue)
        let items = Dictionary((sorted.news + sorted.digest).map { ($0.owner, $0) }) { first, _ in first }
        let pictures = notifications.startPictureDownloads(
            of: screen.state.ownersWithRoom(in: arranged).compactMap { items[$0] })
        if try await holdIfLocked(sorted.all) { return }
        arranged.setAwaitsPicture(
            Set(items.values.filter { notifications.awaits(pictures, for: $0) }.map(\.owner)))
        try await perform(screen.next(.replies(arranged)), items, pictures)
    }

    // MARK: - A single reply

    /// Announces the only reply of a change in the transaction of that change, if the reply may be shown now.
    /// This saves a read and a commit between the event and its notification. Otherwise the next `step` handles the
    /// reply.
    ///
    /// - Returns: a function to call after the commit and before the head advances; `nil` if the next `step`
    ///   handles the reply.
    package func announce(_ change: AccountTransaction) throws -> (() -> Void)? {
        // A reply of an earlier change would be forgotten until the next one if it was not examined yet.
        guard isIdle, changes.count == examined, released == screen.attention.changes.count,
            screen.wakeAt == nil,
            var item = try pending.singleReply(in: change)
        else { return nil }
        // Work on a copy, because the transaction may still be rolled back.
        var tried = screen.state
        let queue = ReplyQueue(news: [item.queued], maxPopups: policy.configuration.maxPopups)
        let actions = tried.next(.replies(queue), now: surroundings.uptime)
        guard actions.last == .show(item.owner) else { return nil }
        item = try presenter.announced(item, with: change.transaction)
        return { [self, item, tried] in
            screen.commit(tried)
            activity = .showing([item.owner: item], actions, change: changes.count + 1)
            head.pauseReaders()
        }
    }

    /// The time after which watchers are notified of a reply even if the notification server has not
    /// answered.
    private static let timeout: Duration = .milliseconds(20)

    /// Releases the readers of the log after `timeout`, unless cancelled.
    private func resumeReaders() async {
        if (try? await surroundings.sleep(Self.timeout)) != nil { head.resumeReaders() }
    }

    /// Shows the replies that were prepared directly after they were stored. Returns whether nothing else is
    /// left to do. Replies that were not shown stay pending in the store.
    private func showNext() async throws -> Bool {
        guard case .showing(let items, let actions, let change) = activity else { return false }
        activity = .working
        let pictures = notifications.startPictureDownloads(of: Array(items.values))
        if head.areReadersPaused {
            async let _: Void = resumeReaders()
            defer { head.resumeReaders() }
            try await showUnlessLocked(items, actions, pictures)
        } else {
            try await showUnlessLocked(items, actions, pictures)
        }
        return changes.count == change && screen.server != nil
    }

    private func showUnlessLocked(
        _ items: [NotificationOwner: ReplyGroup], _ actions: [Action], _ pictures: Avatars.Wait
    ) async throws {
        if try await holdIfLocked(items.values.flatMap(\.messages)) { return }
        try await perform(actions, items, pictures)
    }

    // MARK: - Actions

    private func perform(_ input: NotificationManager.State.Input) async throws {
        try await perform(screen.next(input), [:], nil)
    }

    /// Performs `actions` and the actions that follow from their outcomes. `items`: the replies by owner.
    private func perform(
        _ actions: [Action], _ items: [NotificationOwner: ReplyGroup], _ pictures: Avatars.Wait?
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
                if let pictures, notifications.awaits(pictures, for: item) {
                    try await avatars.finish(pictures)
                }
                showing = try await presenter.show(item)
            case .summarize(let owners):
                showing = try await presenter.summarize(owners.compactMap { items[$0] })
            case .hideText(let owner): try await presenter.hideText(of: owner)
            case .postpone(let owners, let reason):
                try pending.hold(owners.compactMap { items[$0] }.flatMap(\.messages), reason: reason.logText)
            case .retry(let lost):
                try pending.refuse(refused.messages, except: lost, reason: refused.reason)
            case let other: try await screen.perform(other)
            }
            guard let showing else { continue }
            if case .refused(let reason) = showing.outcome { refused = (showing.messages, reason) }
            actions += screen.next(.outcome(try result(of: showing)))
        }
    }

    private func result(of showing: ReplyPresenter.Showing) throws -> ReplyOutcome {
        switch showing.outcome {
        case nil: return .finished
        case .shown: return .shown
        case .refused(let reason):
            logger.warning(
                "the notification server refused a notification", metadata: ["reason": "\(reason)"])
            return .refused
        case .failed(let error):
            if let error { try pending.appendStep(.held, "\(error)", showing.messages, pending: true) }
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
    mutating func add(_ messages: Int, at now: Duration) {
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
    fileprivate var logText: String {
        switch self {
        case .noServer: NotificationHold(.noServer).description(in: .current)
        case .tooMany(let most): "more than \(most) notifications"
        case .serverRefuses: "the notification server refuses notifications"
        }
    }
}
