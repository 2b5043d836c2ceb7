import Config
import CutieAPI
package import EventLog
package import Logging
import NotificationPolicy
import Platform
import Store

/// The replies that wait to be shown. Decides which replies may be shown now, passes them to
/// `ReplyPresenter`, and records in the ledger why the other replies are held. Waiting replies are stored, so
/// a restart neither repeats nor loses a reply. `NotificationState` decides the order.
package final class ReplyQueue {
    private typealias Action = NotificationScreen.State.Action

    private enum Activity {
        case working
        /// Waits for a change or a timer. `examined`: the value of `changes.count` up to which all replies
        /// were examined.
        case idle(examined: Int64)
        /// A single new reply, which is the usual case. The transaction that stored the message has already
        /// recorded it as announced; the next step shows it. `sequence`: the sequence number of the log entry
        /// for the reply.
        case showing(ReplyGroup, [Action], sequence: Int64)
    }

    let screen: NotificationScreen
    let log: LogWriter
    let runtime: RuntimeEnvironment
    let presenter: ReplyPresenter
    private let failures: FailureNotices
    private let logger: Logger
    var policy: Policy { screen.notificationController.policy }
    private let changes = ChangeSignal()
    private var activity = Activity.working
    /// The value of `screen.notificationController.changes.count` when held messages were last examined;
    /// `nil` before the first time.
    private var released: Int64?
    private var burst = Burst()

    package init(
        log: LogWriter, screen: NotificationScreen, presenter: ReplyPresenter, failures: FailureNotices,
        runtime: RuntimeEnvironment, logger: Logger
    ) {
        (self.log, self.screen, self.presenter, self.failures) = (log, screen, presenter, failures)
        (self.runtime, self.logger) = (runtime, logger)
        for signal in [log.head.advances, screen.notificationController.changes, screen.disconnections] {
            changes.follow(signal)
        }
    }

    /// Shows replies until the task is cancelled.
    package func run() async throws {
        await screen.queryServerIfUnknown()
        // A previous run may have failed before showing released messages, so start over.
        (released, activity) = (nil, .working)
        defer {
            activity = .working
            log.head.resumeReaders()
        }
        while true {
            if isIdle { activity = .working }
            let seen = changes.count
            try await processPendingReplies()
            let actions = screen.handle(.stepFinished)
            if !actions.isEmpty { try await perform(actions) }
            releaseMemory()
            activity = .idle(examined: seen)
            let end = screen.wakeAt.map { min($0, burst.end ?? $0) } ?? burst.end
            try await runtime.wait(
                for: changes, past: seen, atMost: end.map { max(.zero, $0 - runtime.uptime) })
        }
    }

    var isIdle: Bool {
        if case .idle = activity { true } else { false }
    }

    /// Returns whether a reply is on the screen or about to be shown, or a first sync may still find replies.
    package func hasPendingReplies() throws -> Bool {
        try screen.state.announcesReplies || mayHavePendingReplies()
    }

    /// Returns memory to the system after a burst of messages. Waits for the end of the burst, because the
    /// memory would otherwise be allocated again immediately.
    private func releaseMemory() {
        guard burst.resetIfEnded(at: runtime.uptime) else { return }
        log.store.prepareForIdle()
        Memory.releaseMemory()
    }

    // MARK: - Turns

    private func processPendingReplies() async throws {
        let actions =
            screen.handle(.stepStarted)
            + screen.handle(.privacy(policy.isPrivatePauseActive(at: runtime.clockReading)))
        if !actions.isEmpty { try await perform(actions) }
        for owner in screen.notificationController.removeOwnersToClose() {
            try await screen.closeNotification(of: owner, because: .finished)
        }
        if screen.state.closedReads != log.readSignal.count {
            try await perform(screen.handle(findReadNotifications()))
        }
        let isAll = try await showPreparedReply()
        let (reconsidered, isDue) = (screen.notificationController.changes.count, screen.consumeDueWake())
        let mayRelease = isDue || released != reconsidered
        if isAll, !mayRelease { return }
        released = reconsidered
        // Query failed messages only if `mayRelease` is `true`, because every failure notifies
        // `notificationController.changes`. Other changes need no query.
        if mayRelease { try await failures.showAll() }
        // Without a server, nothing is released, so do not read the held messages on every step. If nothing
        // is held, do not query the server: each query triggers the next query, and may start a D-Bus service
        // that exits immediately.
        let mayBeHeld = try mayRelease && hasHeldReplies()
        let isReleasePossible = mayBeHeld ? await !scheduleLockCheckIfLocked() : false
        let canRelease = isReleasePossible ? try await queryServerAvailability() : false
        let sorted = try sortPendingMessages(includesHeldMessages: canRelease)
        burst.addMessages(count: sorted.examinedCount, at: runtime.uptime)
        if sorted.isEmpty { return }
        guard try await queryServerAvailability() else {
            return try hold(sorted.all, reason: HoldReason.noServer.logText)
        }
        // A new server has just been adopted. Let the next step show the held messages together with the new
        // messages.
        if released != screen.notificationController.changes.count { return }
        try await show(sorted)
    }

    /// Returns whether messages are held because the screen is still locked, without reading all of them. If
    /// so, schedules another query of the screen lock.
    private func scheduleLockCheckIfLocked() async -> Bool {
        guard policy.isHeldByLock, await screen.notificationController.isHeldByScreenLock() else {
            return false
        }
        screen.scheduleLockCheck()
        return true
    }

    /// Holds messages if the screen is locked and the configuration requires it. Returns whether the messages
    /// are held. The query runs while pictures are fetched.
    private func holdIfLocked(_ messages: @autoclosure () -> [MessageRecord]) async throws -> Bool {
        guard await screen.notificationController.isHeldByScreenLock() else { return false }
        try hold(messages(), reason: Policy.lockReason)
        screen.scheduleLockCheck()
        return true
    }

    private func queryServerAvailability() async throws -> Bool {
        await screen.queryServerIfUnknown()
        try await screen.perform(screen.handle(.waiting))
        return screen.hasServer
    }

    private func show(_ replies: SortedReplies) async throws {
        let batch = ReplyBatch(
            news: replies.news.map(\.queued), released: replies.digest.map(\.queued),
            maxPopups: policy.configuration.maxPopups, isPartial: replies.isPartial)
        var arranged = screen.state.groupedForDisplay(batch)
        let items = Dictionary((replies.news + replies.digest).map { ($0.owner, $0) }) { first, _ in first }
        let pictures = presenter.startPictureDownloads(
            for: screen.state.ownersShownSeparately(in: arranged).compactMap { items[$0] })
        if try await holdIfLocked(replies.all) { return }
        arranged.markAwaitingPicture(
            Set(items.values.filter { presenter.mustAwait(pictures, for: $0) }.map(\.owner)))
        try await perform(screen.handle(.replies(arranged)), pictures: pictures) { items[$0] }
    }

    // MARK: - Actions

    /// Performs `actions` and the actions that follow from their outcomes. `item`: returns the replies of an
    /// owner.
    private func perform(
        _ actions: [Action], pictures: Avatars.Downloads? = nil,
        item: (NotificationOwner) -> ReplyGroup? = { _ in nil }
    ) async throws {
        var actions = actions
        var refused: (messages: [MessageRecord], reason: String) = ([], "")
        while !actions.isEmpty {
            var showing: ReplyPresenter.ShowResult?
            switch actions.removeFirst() {
            case .show(let owner):
                try Task.checkCancellation()
                guard let item = item(owner) else { break }
                showing = try await presenter.show(item, pictures: pictures)
            case .summarize(let owners):
                showing = try await presenter.showSummary(of: owners.compactMap(item))
            case .hideText(let owner): try await presenter.hideText(inNotificationOf: owner)
            case .postpone(let owners, let reason):
                try hold(owners.compactMap(item).flatMap(\.messages), reason: reason.logText)
            case .retry(let lost):
                try recordRefusal(of: refused.messages, dropping: lost, reason: refused.reason)
            case let other: try await screen.perform(other)
            }
            guard let showing else { continue }
            if case .refused(let reason) = showing.outcome { refused = (showing.messages, reason) }
            actions += screen.handle(.outcome(try handleShowResult(showing)))
        }
    }

    private func handleShowResult(_ result: ReplyPresenter.ShowResult) throws -> ReplyOutcome {
        switch result.outcome {
        case nil: return .finished
        case .shown: return .shown
        case .refused(let reason):
            logger.warning(
                "the notification server refused a notification", metadata: ["reason": "\(reason)"])
            return .refused
        case .failed(let error):
            if let error { try holdAgain(result.messages, reason: "\(error)") }
            return .failed
        }
    }
}

// MARK: - A single reply

extension ReplyQueue: ChangeParticipant {
    /// Announces the only reply that a transaction stores, in the same transaction, if the reply may be shown
    /// now. This saves a read and a commit between the event and its notification. A reply that may not be
    /// shown now is handled by `run`.
    package func addWrites(to change: AccountTransaction) throws -> (() -> Void)? {
        // Require that all earlier replies were examined; otherwise, an earlier reply would be skipped until
        // the next change.
        guard case .idle(changes.count) = activity, released == screen.notificationController.changes.count,
            screen.wakeAt == nil, let sequence = change.sequence,
            var item = try findSingleReply(in: change)
        else { return nil }
        // Work on a copy, because the transaction may still be rolled back.
        var tried = screen.state
        let batch = ReplyBatch(news: [item.queued], maxPopups: policy.configuration.maxPopups)
        let actions = tried.handle(.replies(batch), now: runtime.uptime)
        guard actions.last == .show(item.owner) else { return nil }
        item = try presenter.recordAnnouncement(of: item, in: change)
        return { [self, item, tried] in
            screen.commit(tried)
            activity = .showing(item, actions, sequence: sequence)
            log.head.pauseReaders()
        }
    }

    /// Returns the only reply that the transaction stored; `nil` if there are several replies or the policy
    /// does not allow showing it now.
    private func findSingleReply(in change: AccountTransaction) throws -> ReplyGroup? {
        guard change.newMessages.count == 1, let message = change.newMessages.first,
            let conversation = change.conversation?.conversation,
            conversation.id == message.message.conversation
        else { return nil }
        let item = ReplyGroup(
            account: message.account, id: conversation.id, conversation: conversation,
            appID: try appID(of: message.account, in: change.transaction), messages: [message],
            perspective: log.perspective(of: message.account))
        let verdict = screen.notificationController.verdict(
            on: item.makeSubject(for: message), of: item.owner, at: runtime.clockReading)
        return verdict == .show ? item : nil
    }

    /// The time after which watchers are notified of a reply even if the notification server has not
    /// answered.
    private static let timeout: Duration = .milliseconds(20)

    /// Resumes the readers of the log after `timeout`, unless cancelled.
    private func resumeReadersAfterTimeout() async {
        if (try? await runtime.sleep(for: Self.timeout)) != nil { log.head.resumeReaders() }
    }

    /// Shows the single reply that `addWrites` prepared. Returns `false` if no reply was prepared or if
    /// more work is pending. A reply that was not shown stays pending in the store.
    private func showPreparedReply() async throws -> Bool {
        guard case .showing(let item, let actions, let sequence) = activity else { return false }
        activity = .working
        if log.head.areReadersPaused {
            async let _: Void = resumeReadersAfterTimeout()
            defer { log.head.resumeReaders() }
            try await showUnlessLocked(item, actions: actions)
        } else {
            try await showUnlessLocked(item, actions: actions)
        }
        // Compare only the log and the server, because other changes notify `notificationController.changes`.
        return log.head.value == sequence && screen.hasServer
    }

    private func showUnlessLocked(_ item: ReplyGroup, actions: [Action]) async throws {
        let pictures = presenter.startPictureDownloads(for: [item])
        if try await holdIfLocked(item.messages) { return }
        try await perform(actions, pictures: pictures) { $0 == item.owner ? item : nil }
    }
}

/// Counts the messages of a burst, and computes when the burst is over.
private struct Burst {
    /// The minimum number of messages of a burst. A smaller burst allocates too little memory to be worth
    /// releasing.
    private static let least = 500
    private var count = 0
    /// The end of the burst, in uptime; `nil` if there is no burst.
    private(set) var end: Duration?

    /// Adds messages and postpones the end of the burst.
    mutating func addMessages(count messages: Int, at now: Duration) {
        guard messages > 0 else { return }
        count += messages
        if count >= Self.least { end = now + .seconds(2) }
    }

    /// Returns `true` once per burst, after its end.
    mutating func resetIfEnded(at now: Duration) -> Bool {
        guard let end, end <= now else { return false }
        self = Burst()
        return true
    }
}

extension HoldReason {
    /// The detail for the ledger.
    fileprivate var logText: String {
        switch self {
        case .noServer: NotificationHold(.noServer).description(in: .current)
        case .tooMany(let most): "more than \(most) notifications"
        case .serverRefuses: "the notification server refuses notifications"
        }
    }
}
