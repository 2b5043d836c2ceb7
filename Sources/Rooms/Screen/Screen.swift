package import Attention
import CutieAPI
package import Desktop
package import Log
package import Logging
package import Platform
package import Store

/// The one owner of what is on the screen: nobody else talks to the notification server, knows ids or stores
/// them. `ScreenState` decides what is to be done; here it is done.
package final class Screen {
    package typealias State = ScreenState

    /// What came of showing something.
    package enum Outcome {
        case shown
        /// The server is there and wants this one not.
        case refused(String)
        /// nil: there is no server.
        case failed(NotifierError?)
    }

    let attention: Attention
    /// The last logged reason why the server cannot be used.
    private var unusableReason: String?
    private let notifier: any PopupServer
    private let stored: StoredScreen
    let surroundings: Surroundings
    private let logger: Logger
    package private(set) var state: State
    /// Moves when what a client has shown may not be there any more, or has room now.
    package let changes = Signal()
    /// Moves when a server went: what it showed is held.
    let losses = Signal()
    /// Moves when the answer to the question who shows pop-ups is another than before.
    let meetings = Signal()
    /// Called when a server is met that was not known, before anything is shown on it: a session has begun.
    package var onMeeting: () async -> Void = {}
    /// When replies and failures are looked at again although nothing else happens. Uptime.
    package private(set) var wakeAt: Duration?

    package init(
        store: Store, attention: Attention, notifier: any PopupServer, session: SessionIdentity,
        pacing: Pacing? = nil, surroundings: Surroundings, logger: Logger
    ) {
        (self.attention, self.notifier) = (attention, notifier)
        (self.surroundings, self.logger) = (surroundings, logger)
        stored = StoredScreen(store: store, session: session, surroundings: surroundings)
        state = State(pacing: pacing ?? Pacing(now: surroundings.uptime))
    }

    /// The session's notification server; nil: nobody has answered, or it went.
    package var server: NotificationServer? { state.server }

    package func shows(_ owner: PopupOwner) -> Bool { state[owner] != nil }

    /// What is on the screen for it; nil: nothing. The whole state would be copied for the answer.
    func popup(for owner: PopupOwner) -> ShownPopup? { state[owner] }

    /// Whether this run has shown it.
    func isOwn(_ owner: PopupOwner) -> Bool { state.isOwn(owner) }

    /// Whose pop-up has this id, or had it a moment ago; nil where it is not ours or was replaced.
    package func popup(of id: UInt32) -> (owner: PopupOwner, popup: ShownPopup)? { state.popup(of: id) }

    /// Asks for a look at `time` at the latest.
    func wake(at time: Duration) { wakeAt = min(wakeAt ?? time, time) }

    /// Asks for one when what is held may go; nil: something will tell.
    func wake(at time: Timestamp?, now: Timestamp) {
        guard let time else { return }
        wake(at: surroundings.uptime + max(.zero, time - now))
    }

    /// Whether the time for a look has come, which is thereby taken.
    func consumeWake() -> Bool {
        guard let time = wakeAt, time <= surroundings.uptime else { return false }
        wakeAt = nil
        return true
    }

    /// What the state makes of something that happened.
    func next(_ input: State.Input) -> [State.Action] { state.next(input, now: surroundings.uptime) }

    /// Somebody waits for the replies to be over: `changes` will tell.
    func awaitEnd() { state.note(.awaitsEnd) }

    /// Puts a state in force that was tried: what it was tried with is stored now.
    func commit(_ tried: State) { state = tried }
}

// MARK: - Showing

extension Screen {
    /// Shows a pop-up in the place of its owner's former one. `facts`: what it stands for. `taken` is called once
    /// it is on the screen, `record` in the transaction that stores it. Throws what the store throws; then it is
    /// on the screen all the same, and the next try replaces it.
    package func show(
        _ popup: Popup, as owner: PopupOwner, _ facts: ShownPopup = ShownPopup(id: 0),
        taken: () -> Void = {}, record: (Transaction, UInt32) throws -> Void = { _, _ in }
    ) async throws -> Outcome {
        guard let server = state.server else { return .failed(nil) }
        let id: UInt32
        do { id = try await notifier.show(popup, replacing: state[owner]?.id) } catch NotifierError.cancelled
        {
            // We are ending. What was announced is shown again by the next run, in the same place.
            throw CancellationError()
        } catch NotifierError.refused(let reason) {
            return .refused(reason)
        } catch {
            try await lose(because: error)
            return .failed(error)
        }
        var shown = facts
        (shown.id, shown.isOwn, shown.countedAsOf) = (id, true, nil)
        shown.actions = Set(popup.actions.compactMap { PopupAction(rawValue: $0.id) })
        // Where the store fails, the next try replaces it, and counts what is known to be shown.
        let actions = next(.shown(owner, shown))
        taken()
        let former = actions.compactMap { if case .erase(let former) = $0 { former } else { nil } }
        try stored.save(shown, of: owner, on: server, without: former) { try record($0, id) }
        if let reads = facts.countedAsOf { state.note(.counted(owner, asOf: reads)) }
        return .shown
    }

    /// Shows what is not worth a second try, and of which nobody hears again. False where nobody took it.
    @discardableResult
    package func tell(_ notice: Popup) async -> Bool {
        do {
            _ = try await notifier.show(notice, replacing: nil)
            return true
        } catch {
            logger.notice("a notice was not shown", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Takes a pop-up off the screen, and what is stored of it. Where the store fails it is still known, to be
    /// taken away later.
    package func close(_ owner: PopupOwner, because cause: CloseCause) async throws {
        guard let popup = state[owner] else { return }
        do { try stored.erase(owner, how: cause.words) } catch {
            // The reply comes first. The next run closes it once more.
            if cause != .makesRoom { throw error }
        }
        try await perform(next(.removed(owner)))
        try await call { notifier in try await notifier.close(popup.id) }
    }

    /// Takes everything off the screen without the store, which is lost: the next run does not know what is there,
    /// and shows what is unread again.
    package func clear() async {
        for popup in state.popups.values { try? await notifier.close(popup.id) }
    }

    /// Whether an earlier run has shown one.
    func isStored(_ owner: PopupOwner) throws -> Bool { try stored.contains(owner) }

    /// Of an earlier run's, which may be on the screen or not.
    func withdraw(_ owner: PopupOwner) async throws {
        if shows(owner) { return try await close(owner, because: .over) }
        try stored.erase(owner, how: CloseCause.over.words)
    }

    /// The person or the server took a pop-up away. Whose it was; nil where it is not ours or was replaced.
    package func ended(_ id: UInt32, because reason: CloseReason) throws -> PopupOwner? {
        let actions = next(.ended(id, hasExpired: reason == .expired))
        if actions.contains(.tellClients) { changes.notify() }
        for case .erase(let owner) in actions {
            try stored.erase(owner, how: reason.words)
            return owner
        }
        return nil
    }
}

// MARK: - The server

extension Screen {
    /// Meets the server where there is one that is not known yet.
    package func look() async {
        if state.server == nil { await ask() }
    }

    /// Asks who shows pop-ups, and returns who does.
    @discardableResult
    package func ask() async -> NotificationServer? {
        let mightHaveServer = mayHaveServer
        let (former, found) = (state.server, usable(await notifier.server()))
        if found != nil, found != former { await onMeeting() }
        if let former, let found, former != found {
            logger.notice(
                "the notification server is gone",
                metadata: ["reason": "\(NotifierError.serverChanged(found.name))"])
        }
        do { try await perform(next(.answered(found))) } catch {
            // It is not met before what the one before showed is held.
            logger.error("what is on the screen cannot be stored", metadata: ["error": "\(error)"])
        }
        if mayHaveServer != mightHaveServer { meetings.notify() }
        return state.server
    }

    /// Returns the server if notifications can be shown on it, and logs once why not.
    private func usable(_ server: NotificationServer?) -> NotificationServer? {
        guard let server, !server.isUsable else {
            unusableReason = nil
            return server
        }
        if server.problem != unusableReason {
            logger.warning(
                "the notification server does not describe itself and cannot be used",
                metadata: ["reason": "\(server.problem ?? "")"])
        }
        unusableReason = server.problem
        return nil
    }

    /// Carries out what follows of something that happened; what is left is for who shows replies.
    func perform(_ actions: [State.Action]) async throws {
        for action in actions { try await perform(action) }
    }

    func perform(_ action: State.Action) async throws {
        switch action {
        case .adopt(let server): try await adopt(server)
        case .hold: try await hold()
        case .close(let owner, let cause): try await close(owner, because: cause)
        case .closeExpired(let id):
            state.note(.unlisted(id))
            try await call { notifier in try await notifier.closeExpired(id) }
        case .did(let task): state.note(.did(task))
        case .wake(let time): wake(at: time)
        case .release: attention.reconsider()
        case .tellClients: changes.notify()
        case .show, .summarise, .hideWords, .postpone, .retry, .erase: break
        }
    }

    /// The server failed or went away.
    private func lose(because error: NotifierError) async throws {
        logger.notice("the notification server is gone", metadata: ["reason": "\(error)"])
        if case .serverChanged = error { return try await perform(next(.failed(.changed))) }
        try await perform(next(.failed(.gone)))
    }

    /// Where a call fails, what else is on the screen has gone, too.
    private func call(_ body: (any PopupServer) async throws -> Void) async throws {
        guard state.server != nil else { return }
        do { try await body(notifier) } catch NotifierError.cancelled {
            throw CancellationError()
        } catch let error as NotifierError {
            try await lose(because: error)
        }
    }

    /// All of it or nothing: a pop-up that stays stored is taken for still there by the next server.
    private func hold() async throws {
        await notifier.forgetAll()
        // Others ask, too, and may have held it meanwhile.
        guard state.phase == .lost else { return }
        try stored.hold(Array(state.popups.keys), members: state[.summary]?.members ?? 0)
        try await perform(next(.held))
        losses.notify()
    }

    private func adopt(_ server: NotificationServer) async throws {
        if let problem = server.problem {
            logger.warning(
                "the notification server does not describe itself; it is sent plain pop-ups",
                metadata: ["server": "\(server.name)", "reason": "\(problem)"])
        }
        let popups = adopted(by: server)
        await notifier.adopt(Set(popups.values.map(\.id)))
        try await perform(next(.adopted(server, popups)))
    }

    private func adopted(by server: NotificationServer) -> [PopupOwner: ShownPopup] {
        do { return try stored.popups(of: server) } catch {
            logger.error(
                "cannot read the pop-ups that are on the screen", metadata: ["error": "\(error)"])
            return [:]
        }
    }
}

extension CloseCause {
    /// As the ledger tells it.
    fileprivate var words: String {
        switch self {
        case .read: "read"
        case .privacy: "hidden by a private pause"
        case .makesRoom, .over: "taken away"
        }
    }
}

extension CloseReason {
    /// As the ledger tells it.
    fileprivate var words: String {
        switch self {
        case .expired: "expired"
        case .dismissed: "dismissed"
        case .byCall: "taken away"
        case .undefined: "gone"
        }
    }
}
