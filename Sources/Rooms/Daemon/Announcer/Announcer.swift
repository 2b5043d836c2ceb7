import CutieAPI
import Desktop
import Inbox
import Logging
import Platform
import Store

/// Makes pop-ups of the messages that wait to be announced: policy, ledger, Notify.
///
/// What waits is in the store (`pending`), so a restart announces nothing twice and forgets nothing.
final class Announcer {
    let store: Store
    let notifier: any PopupServer
    let surroundings: Surroundings
    let logger: Logger
    let avatars: Avatars
    /// Whether an account is configured.
    let isOpen: (AccountID) -> Bool
    let identity: SessionIdentity
    /// What may be shown has changed, and not only for messages.
    var onReconsider: () -> Void = {}
    /// The notification server went: no pop-up of anybody is on the screen.
    var onServerLost: () -> Void = {}
    /// A reply is about to be shown: what is about none makes room.
    var onReply: () async -> Void = {}
    /// A turn ended or a pop-up went, and no reply is on the screen.
    var onSettled: () -> Void = {}
    var policy: Policy {
        didSet { reconsider() }
    }
    var live = LivePopups()
    var accountNames: [AccountID: String] = [:]
    /// How many conversations the summary on the screen stands for. Which they are is in the store.
    var summarised = 0
    /// The pop-ups on the screen that tell of items of the outbox.
    var notices: [UInt32: [String]] = [:]
    var wasPrivate = false
    /// The server that answered last; nil: it must be asked before anything is shown.
    var server: NotificationServer?
    /// Whether a server went whose pop-ups are stored still.
    var isScreenLost = false
    /// Another one than that, which has answered somebody else.
    var successor: NotificationServer?
    private(set) var summaryShownAt: Duration?
    let changes = Head()
    /// Moves when something that was unread may be so no more.
    let reads: Head
    /// The reads whose pop-ups were closed; nil: look at all of them.
    var closedReads: Int64?
    private var bucket: TokenBucket
    var serverRetry = Backoff(base: .seconds(1), cap: .seconds(30))
    var refusals = Refusals()
    var mayRelease = true
    private(set) var wakeAt: Duration?
    /// Whether it waits for something to happen.
    private(set) var isIdle = false
    /// What was announced by the transaction that stored it.
    var inHand: InHand?
    /// How many messages were read since memory was given back.
    var burst = 0

    init(
        store: Store, head: Head, reads: Head, notifier: any PopupServer, policy: Policy,
        session: SessionIdentity,
        avatars: Avatars, isOpen: @escaping (AccountID) -> Bool, surroundings: Surroundings, logger: Logger
    ) {
        (self.store, self.notifier, self.policy, identity) = (store, notifier, policy, session)
        self.reads = reads
        (self.avatars, self.isOpen) = (avatars, isOpen)
        (self.surroundings, self.logger) = (surroundings, logger)
        bucket = TokenBucket(burst: 50, perSecond: 20, now: surroundings.uptime)
        head.followers.append(changes)
    }

    /// What is held may be free to go: a pause ended, a first sync is complete, the policy changed.
    func reconsider() {
        mayRelease = true
        changes.advance()
        onReconsider()
    }

    /// The session's notification server as `status` shows it.
    func look() async {
        guard server == nil, let found = await notifier.server() else { return }
        // Another one may have asked, too, and been answered first.
        if server == nil { meet(found) }
    }

    func run() async throws {
        await look()
        // A run before this one may have failed on the way to what was free to go.
        mayRelease = true
        while true {
            isIdle = false
            let seen = changes.value
            try await turn()
            tidyUp()
            isIdle = true
            if !live.areShown { onSettled() }
            let wait = wakeAt.map { max(.zero, $0 - surroundings.uptime) }
            try await surroundings.wait(for: changes, past: seen, atMost: wait)
        }
    }

    /// After a burst, and not while it goes on: what it took of memory would be kept.
    private func tidyUp() {
        let isOver = wakeAt.map { $0 > surroundings.uptime + .seconds(2) } ?? true
        guard burst >= 500, isOver else { return }
        burst = 0
        store.releaseMemory()
        Memory.giveBack()
    }

    /// Asks for a turn at `time` at the latest, though nothing else happens.
    func wake(at time: Duration) { wakeAt = min(wakeAt ?? time, time) }

    /// Asks for a turn when what is held may go; nil: something will tell.
    func wake(at time: Timestamp?, now: Timestamp) {
        guard let time else { return }
        wake(at: surroundings.uptime + max(.zero, time - now))
    }

    private func turn() async throws {
        try await loseToSuccessor()
        try await hideWords()
        try await closeWhatWasRead()
        let isAll = try await showWhatIsInHand()
        if let due = wakeAt, due <= surroundings.uptime {
            mayRelease = true
            wakeAt = nil
        }
        if isAll, !mayRelease { return }
        let release = mayRelease
        mayRelease = false
        // Whoever fails says so (`reconsider`): an event alone is no reason to look.
        if release { try await showFailures() }
        // Without a server nothing is released: to read it all each time would be in vain. With nothing held
        // nobody asks for one: each question asks for the next, and may start a server that ends at once.
        let mayBeHeld = try release && isAnythingHeld()
        let canRelease = mayBeHeld ? await isServerThere() : false
        let sorted = try sortPending(alsoHeld: canRelease)
        if sorted.isEmpty { return }
        guard await isServerThere() else { return try hold(sorted.all, why: "no notification server") }
        // One that was met just now: what is held goes together with this, in the turn that follows.
        if mayRelease { return }
        try await show(sorted)
    }

    /// Whether a reply is on the screen or on its way there, or a first sync may find some yet.
    func areRepliesFirst() throws -> Bool {
        if inHand != nil || live.areShown { return true }
        return try store.read { transaction in
            let waiting = try [false, true].flatMap { try transaction.pendingMessages(held: $0, limit: 100) }
            if waiting.contains(where: { isOpen($0.account) }) { return true }
            return try transaction.accounts().contains { isOpen($0.id) && $0.syncedAt == nil }
        }
    }

    private func isAnythingHeld() throws -> Bool {
        try store.read { try !$0.pendingMessages(held: true, limit: 1).isEmpty }
    }

    /// False: the server has had enough for now and gets the rest later.
    func takeToken() -> Bool {
        guard let wait = bucket.take(now: surroundings.uptime) else { return true }
        wake(at: surroundings.uptime + wait)
        return false
    }

    /// The server took a pop-up, with these messages: the next trouble is the first again, unless it refuses
    /// something else still.
    func noteShown(_ key: PopupKey?, _ messages: [MessageRecord] = []) {
        refusals.forget(messages)
        if refusals.areOver(at: surroundings.uptime) { serverRetry.reset() }
        if key == .summary { summaryShownAt = surroundings.uptime }
    }

    func isServerThere() async -> Bool {
        if server == nil { await look() }
        guard server == nil else { return true }
        wake(at: surroundings.uptime + serverRetry.next(random: 1))
        return false
    }
}
