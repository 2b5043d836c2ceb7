/// A state machine for the pop-ups and the notification server. `next` maps an input to the actions to
/// perform, and uses no socket, clock, store or task. All times are monotonic.
///
/// Notification servers appear and disappear, and the ids that they assigned become invalid with them.
public struct PopupState: Sendable {
    /// The state of the notification server.
    public enum Phase: Hashable, Sendable {
        /// The server was not queried yet.
        case unknown
        /// There is no server, so nothing is on the screen.
        case absent(since: Duration)
        case present(NotificationServer)
        /// A server was lost and its pop-ups are still stored. The next server is adopted only after they are
        /// held; otherwise these pop-ups would be considered still on its screen.
        case lost
    }

    public private(set) var phase = Phase.unknown
    public private(set) var popups: [PopupOwner: ShownPopup] = [:]
    var pacing: PopupPacing
    /// The replies that are still to be shown after `current`.
    var queue: ReplyQueue?
    var current: ReplyQueue.Item?
    private var owners: [UInt32: PopupOwner] = [:]
    /// The pop-ups that ended, newest last. A click may be reported after the end, and even much later if the
    /// server shows the pop-up again from its history.
    private var endedPopups: [EndedPopup] = []
    /// The pop-ups that expired, newest last. Some servers list them under their ids.
    private var expired: [(id: UInt32, owner: PopupOwner)] = []
    /// The value of `reads` for which read pop-ups were last closed; `nil` to check all of them.
    public private(set) var closedReads: Int64?
    /// Whether the text of the pop-ups on the screen is hidden.
    private var areTextsHidden = false
    /// Whether a client waits until no reply is on the screen.
    public private(set) var isEndAwaited = false
    /// The maximum number of ended, and of expired, pop-ups to remember.
    private let endedMemory = 256

    public init(pacing: PopupPacing) { self.pacing = pacing }

    /// Returns the actions for `input`. They take effect only when the caller has carried them out.
    public mutating func next(_ input: Input, now: Duration) -> [Action] {
        switch input {
        // If the store failed in a previous step, the pop-ups are not held yet.
        case .started: return phase == .lost ? [.hold] : []
        case .serverAnswered(let server): return serverAnswered(server, now)
        case .adopted(let server, let popups, let ended): return adopt(popups, ended, by: server)
        case .failed(let failure): return fail(failure, now)
        case .held: return hold(now)
        case .shown(let owner, let popup): return show(owner, popup, now)
        case .refused: return [.wake(at: pacing.nextAttemptTime(now: now))]
        case .removed(let owner): return forget(owner)
        case .ended(let id, let hasExpired): return end(id, hasExpired)
        case .read(let owners, let ids, let reads):
            let actions = owners.map { Action.close($0, .read) } + ids.map { .closeExpired($0) }
            return actions + [.did(.closing(reads: reads))]
        case .privacy(let isOn): return hideText(isOn)
        case .waiting: return server == nil ? [.wake(at: pacing.nextAttemptTime(now: now))] : []
        case .notice(let owner): return notice(owner, now)
        case .replies(let queue):
            self.queue = queue
            return advance(now)
        case .outcome(let outcome): return resume(after: outcome, now)
        case .idle:
            queue = nil
            return endIfAwaited()
        }
    }

    /// Records a fact that requires no action.
    public mutating func note(_ fact: Fact) {
        switch fact {
        case .counted(let owner, let reads): popups[owner]?.countedAsOf = reads
        case .unlisted(let id): expired.removeAll { $0.id == id }
        case .did(.hiding): areTextsHidden = true
        case .did(.closing(let reads)): closedReads = reads
        case .awaitsEnd: isEndAwaited = true
        }
    }
}

// MARK: - Queries

extension PopupState {
    /// The current notification server; `nil` if there is none.
    public var server: NotificationServer? {
        if case .present(let server) = phase { server } else { nil }
    }

    public subscript(owner: PopupOwner) -> ShownPopup? { popups[owner] }

    /// Returns whether this process has shown the pop-up of `owner`.
    public func isOwn(_ owner: PopupOwner) -> Bool { popups[owner]?.isOwn ?? false }

    /// Whether replies are on the screen or about to be shown.
    public var announcesReplies: Bool {
        queue != nil || popups.contains { $0.key.announcesReplies && $0.value.isOwn }
    }

    /// Returns the current or recent owner of an id; `nil` if the id is not ours or was reused.
    public func popup(of id: UInt32) -> (owner: PopupOwner, popup: ShownPopup)? {
        if let owner = owners[id], let popup = popups[owner] { return (owner, popup) }
        return ended(id).map { ($0.owner, $0.popup) }
    }

    /// Returns the ended pop-up with this id; `nil` if there is none, or if the id is in use again.
    public func ended(_ id: UInt32) -> EndedPopup? {
        owners[id] == nil ? endedPopups.last { $0.popup.id == id } : nil
    }

    /// The expired pop-ups that a server may still list.
    public var expiredOwners: [(id: UInt32, owner: PopupOwner)] { expired }

    func hasRoom(for owner: PopupOwner, most: Int) -> Bool {
        isOwn(owner) || popups.count { $0.key.isReply && $0.value.isOwn } < most
    }
}

// MARK: - Servers

extension PopupState {
    private mutating func serverAnswered(_ found: NotificationServer?, _ now: Duration) -> [Action] {
        switch (phase, found) {
        case (.unknown, nil):
            phase = .absent(since: now)
            return []
        // Other tasks query the server, too, and the notifier compares each answer with the previous one. A
        // change of server is therefore reported only once, possibly here.
        case (.present(let server), let found?) where found != server: return fail(.changed, now)
        case (.absent, nil), (.present, _), (.lost, nil): return []
        case (.lost, let found?): return [.hold, .adopt(found)]
        case (_, let found?): return [.adopt(found)]
        }
    }

    private mutating func adopt(
        _ found: [PopupOwner: ShownPopup], _ ended: [EndedPopup], by server: NotificationServer
    ) -> [Action] {
        // A concurrent query may have adopted a server first.
        switch phase {
        case .unknown, .absent: break
        case .present, .lost: return []
        }
        phase = .present(server)
        popups = found
        owners = Dictionary(found.map { ($0.value.id, $0.key) }) { _, last in last }
        endedPopups = ended.suffix(endedMemory)
        closedReads = nil
        // The caller may be a task that does not release held messages.
        return [.release]
    }

    /// Handles a lost server. What was on the screen is held, and the next server shows it once more.
    private mutating func fail(_ failure: ServerFailure, _ now: Duration) -> [Action] {
        guard server != nil else { return [] }
        phase = .lost
        return [.wake(at: failure == .changed ? now : pacing.nextAttemptTime(now: now)), .hold]
    }

    private mutating func hold(_ now: Duration) -> [Action] {
        guard phase == .lost else { return [] }
        phase = .absent(since: now)
        popups.removeAll()
        owners.removeAll()
        endedPopups.removeAll()
        expired.removeAll()
        return [.notifyClients]
    }
}

// MARK: - Pop-ups

extension PopupState {
    private mutating func show(_ owner: PopupOwner, _ popup: ShownPopup, _ now: Duration) -> [Action] {
        // The id now refers only to the new pop-up.
        expired.removeAll { $0.id == popup.id }
        endedPopups.removeAll { $0.popup.id == popup.id }
        // A restarted server assigns its ids again, so the former owner of the id is no longer on the screen.
        let former = owners[popup.id].flatMap { $0 == owner ? nil : $0 }
        if let former { popups[former] = nil }
        if let old = popups[owner] { owners[old.id] = nil }
        popups[owner] = popup
        owners[popup.id] = owner
        if !owner.announcesReplies { pacing.noteShown([], now: now) }
        return former.map { [.erase($0)] } ?? []
    }

    /// Removes a pop-up that ended, independently of whether the store succeeds.
    private mutating func end(_ id: UInt32, _ hasExpired: Bool) -> [Action] {
        guard let owner = owners[id] else { return [] }
        if hasExpired, owner.announcesReplies { expired = expired.suffix(endedMemory - 1) + [(id, owner)] }
        return [.erase(owner)] + forget(owner)
    }

    private mutating func forget(_ owner: PopupOwner) -> [Action] {
        guard let popup = popups.removeValue(forKey: owner) else { return [] }
        owners[popup.id] = nil
        endedPopups = endedPopups.suffix(endedMemory - 1) + [EndedPopup(owner: owner, popup: popup)]
        return endIfAwaited()
    }

    /// Hides the text of the pop-ups on the screen when a private pause begins.
    private mutating func hideText(_ isOn: Bool) -> [Action] {
        guard isOn, !areTextsHidden else {
            areTextsHidden = isOn
            return []
        }
        // Without a server, nothing is on the screen.
        let shown = server == nil ? [] : popups.sorted { $0.value.id < $1.value.id }
        let actions = shown.compactMap { owner, popup -> Action? in
            if owner.isFailure { return .close(owner, .privacy) }
            guard owner.announcesReplies else { return nil }
            // A pop-up of a previous run may have disappeared, and an update would show it again.
            return popup.isOwn ? .hideText(owner) : .close(owner, .privacy)
        }
        // Set only after the actions: if the store fails, the next step hides the rest.
        return actions + [.did(.hiding)]
    }

    /// Notifies clients that wait until no reply is on the screen or about to be shown.
    private mutating func endIfAwaited() -> [Action] {
        guard isEndAwaited, !announcesReplies else { return [] }
        isEndAwaited = false
        return [.notifyClients]
    }
}
