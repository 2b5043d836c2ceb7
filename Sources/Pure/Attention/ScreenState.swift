/// What is on the screen and who shows it, as a state machine: something happens, and `next` says what to do
/// about it. It holds no socket, clock, store or task. Times are of a clock that nobody sets.
///
/// Notification servers come and go, and with them the ids that they gave.
public struct ScreenState: Sendable {
    public enum Phase: Hashable, Sendable {
        /// Nobody has asked yet who shows pop-ups.
        case unknown
        /// Nobody shows pop-ups. Nothing is on the screen.
        case absent(since: Duration)
        case present(NotificationServer)
        /// A server went whose pop-ups are stored still. The next one is met when that is written: it would be
        /// believed to have adopted what went with the one before.
        case lost
    }

    public private(set) var phase = Phase.unknown
    public private(set) var popups: [PopupOwner: ShownPopup] = [:]
    var pacing: Pacing
    /// What is being shown, and what follows it.
    var queue: ReplyQueue?
    var current: ReplyQueue.Item?
    private var owners: [UInt32: PopupOwner] = [:]
    /// Those that ended, the newest last: a click may arrive after the close, also long after it if the server brings
    /// the pop-up back from its history.
    private var gone: [(owner: PopupOwner, popup: ShownPopup)] = []
    /// Those that left by themselves, the newest last. Some servers keep them in a list, under their ids.
    private var expired: [(id: UInt32, owner: PopupOwner)] = []
    /// The reads whose pop-ups were closed; nil: look at all of them.
    public private(set) var closedReads: Int64?
    /// Whether what is on the screen shows no words.
    private var areWordsHidden = false
    /// Somebody waits for the replies to be over.
    public private(set) var isEndAwaited = false
    /// Of what is remembered for late clicks and lists of servers.
    private let memory = 256

    public init(pacing: Pacing) { self.pacing = pacing }

    /// What to do about `input`. Nothing of it has happened before its actions are carried out.
    public mutating func next(_ input: Input, now: Duration) -> [Action] {
        switch input {
        // Where the store failed, it was not held yet.
        case .began: return phase == .lost ? [.hold] : []
        case .answered(let server): return answered(server, now)
        case .adopted(let server, let popups): return adopt(popups, by: server)
        case .failed(let failure): return fail(failure, now)
        case .held: return hold(now)
        case .shown(let owner, let popup): return show(owner, popup, now)
        case .refused: return [.wake(at: pacing.nextTry(now: now))]
        case .removed(let owner): return forget(owner)
        case .ended(let id, let hasExpired): return end(id, hasExpired)
        case .read(let owners, let ids, let reads):
            let actions = owners.map { Action.close($0, .read) } + ids.map { .closeExpired($0) }
            return actions + [.did(.closing(reads: reads))]
        case .privacy(let isOn): return hideWords(isOn)
        case .waiting: return server == nil ? [.wake(at: pacing.nextTry(now: now))] : []
        case .notice(let owner): return notice(owner, now)
        case .replies(let queue):
            self.queue = queue
            return advance(now)
        case .outcome(let outcome): return resume(after: outcome, now)
        case .rested:
            queue = nil
            return endIfAwaited()
        }
    }

    public mutating func note(_ fact: Fact) {
        switch fact {
        case .counted(let owner, let reads): popups[owner]?.countedAsOf = reads
        case .unlisted(let id): expired.removeAll { $0.id == id }
        case .did(.hiding): areWordsHidden = true
        case .did(.closing(let reads)): closedReads = reads
        case .awaitsEnd: isEndAwaited = true
        }
    }
}

// MARK: - What is there

extension ScreenState {
    public var server: NotificationServer? {
        if case .present(let server) = phase { server } else { nil }
    }

    public subscript(owner: PopupOwner) -> ShownPopup? { popups[owner] }

    public func isOwn(_ owner: PopupOwner) -> Bool { popups[owner]?.isOwn ?? false }

    /// Whether replies are on the screen or on their way there.
    public var tellsReplies: Bool {
        queue != nil || popups.contains { $0.key.tellsReplies && $0.value.isOwn }
    }

    /// Whose pop-up has this id, or had it a moment ago; nil where it is not ours or was replaced.
    public func popup(of id: UInt32) -> (owner: PopupOwner, popup: ShownPopup)? {
        if let owner = owners[id], let popup = popups[owner] { return (owner, popup) }
        return gone.last { $0.popup.id == id }
    }

    public var expiredOwners: [(id: UInt32, owner: PopupOwner)] { expired }

    func hasRoom(for owner: PopupOwner, most: Int) -> Bool {
        isOwn(owner) || popups.count { $0.key.isReply && $0.value.isOwn } < most
    }
}

// MARK: - Servers

extension ScreenState {
    private mutating func answered(_ found: NotificationServer?, _ now: Duration) -> [Action] {
        switch (phase, found) {
        case (.unknown, nil):
            phase = .absent(since: now)
            return []
        // Others ask, too. The next call would take their answer for known: where it is another server, we hear
        // of it here or never.
        case (.present(let server), let found?) where found != server: return fail(.changed, now)
        case (.absent, nil), (.present, _), (.lost, nil): return []
        case (.lost, let found?): return [.hold, .adopt(found)]
        case (_, let found?): return [.adopt(found)]
        }
    }

    private mutating func adopt(_ found: [PopupOwner: ShownPopup], by server: NotificationServer) -> [Action]
    {
        // Another one may have asked, too, and been answered first.
        switch phase {
        case .unknown, .absent: break
        case .present, .lost: return []
        }
        phase = .present(server)
        popups = found
        owners = Dictionary(found.map { ($0.value.id, $0.key) }) { _, last in last }
        closedReads = nil
        // Whoever met it may not be the turn that shows what is held.
        return [.release]
    }

    /// What was on the screen is held, and shown again once by the next server.
    private mutating func fail(_ failure: ServerFailure, _ now: Duration) -> [Action] {
        guard server != nil else { return [] }
        phase = .lost
        return [.wake(at: failure == .changed ? now : pacing.nextTry(now: now)), .hold]
    }

    private mutating func hold(_ now: Duration) -> [Action] {
        guard phase == .lost else { return [] }
        phase = .absent(since: now)
        popups.removeAll()
        owners.removeAll()
        gone.removeAll()
        expired.removeAll()
        return [.tellClients]
    }
}

// MARK: - Pop-ups

extension ScreenState {
    private mutating func show(_ owner: PopupOwner, _ popup: ShownPopup, _ now: Duration) -> [Action] {
        // The id of one that has expired names the new one only.
        expired.removeAll { $0.id == popup.id }
        gone.removeAll { $0.popup.id == popup.id }
        // A server that was restarted gives its ids anew: what had one is not on the screen any more.
        let former = owners[popup.id].flatMap { $0 == owner ? nil : $0 }
        if let former { popups[former] = nil }
        if let old = popups[owner] { owners[old.id] = nil }
        popups[owner] = popup
        owners[popup.id] = owner
        if !owner.tellsReplies { pacing.noteShown([], now: now) }
        return former.map { [.erase($0)] } ?? []
    }

    /// It takes nobody's place any more, whatever becomes of the store.
    private mutating func end(_ id: UInt32, _ hasExpired: Bool) -> [Action] {
        guard let owner = owners[id] else { return [] }
        if hasExpired, owner.tellsReplies { expired = expired.suffix(memory - 1) + [(id, owner)] }
        return [.erase(owner)] + forget(owner)
    }

    private mutating func forget(_ owner: PopupOwner) -> [Action] {
        guard let popup = popups.removeValue(forKey: owner) else { return [] }
        owners[popup.id] = nil
        gone = gone.suffix(memory - 1) + [(owner, popup)]
        return endIfAwaited()
    }

    /// A private pause that begins holds for what is on the screen, too.
    private mutating func hideWords(_ isOn: Bool) -> [Action] {
        guard isOn, !areWordsHidden else {
            areWordsHidden = isOn
            return []
        }
        // Once the server is gone, so is all that it showed.
        let shown = server == nil ? [] : popups.sorted { $0.value.id < $1.value.id }
        let actions = shown.compactMap { owner, popup -> Action? in
            if owner.isFailure { return .close(owner, .privacy) }
            guard owner.tellsReplies else { return nil }
            // One of an earlier run may be gone from the screen, and would come back with a change of its words.
            return popup.isOwn ? .hideWords(owner) : .close(owner, .privacy)
        }
        // Not before: where the store fails, the next run hides the rest.
        return actions + [.did(.hiding)]
    }

    /// No reply is on the screen or on its way there: who waited for that may come.
    private mutating func endIfAwaited() -> [Action] {
        guard isEndAwaited, !tellsReplies else { return [] }
        isEndAwaited = false
        return [.tellClients]
    }
}
