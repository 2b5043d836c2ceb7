public import Attention
import CNotify
import Threads

/// The session's notification server, through libnotify, on libnotify's own thread: a call may wait there
/// for 25 s and blocks nobody else. After any error all ids given before are to be forgotten (`forgetAll`).
public actor Notifier {
    /// Clicks on and ends of the pop-ups shown here, and of no others. Who does not read them loses the oldest.
    public nonisolated let events: AsyncStream<PopupEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        GLibThread.shared.asUnownedSerialExecutor()
    }

    let applicationName: String
    private var popups = PopupTable()
    private let sink: AsyncStream<PopupEvent>.Continuation
    /// What the server said of itself, and how often servers had come and gone then.
    private var answer: (server: NotificationServer, changes: UInt32)?
    private var justReplaced: UInt32?
    /// The count of changes when it was compared last.
    private var serverChanges: UInt32 = 0
    /// `nil` until a server has answered.
    private var signals: SignalListener?

    /// The first name in a process is the one libnotify tells the server.
    // Inlined in another module, the isolated deinit stops the 6.3 compiler there: "circular reference".
    @_semantics("optimize.no.crossmodule")
    public init(applicationName: String) {
        self.applicationName = applicationName
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    }

    isolated deinit {
        popups.removeAll()
        signals = nil
        sink.finish()
    }

    private func present(_ popup: Popup, replacing id: UInt32?) throws(NotifierError) -> UInt32 {
        do {
            let id = popups.hasEnded(id) ? nil : id
            let server = try recentServer(replacing: id)
            let shown = try put(popup, inPlaceOf: id, on: server)
            // A server that does not know its own id may have been restarted.
            if let id, id != shown { answer = nil }
            return shown
        } catch {
            lose(after: error)
            throw error
        }
    }

    private func describeServer() throws(NotifierError) -> NotificationServer {
        do {
            return try askServer()
        } catch {
            lose(after: error)
            throw error
        }
    }

    private func askServer() throws(NotifierError) -> NotificationServer {
        let server = try NotificationServer.asked(by: applicationName)
        if signals == nil { signals = SignalListener(for: self) }
        answer = (server, cnotify_server_changes())
        return server
    }

    func end(_ id: UInt32) throws(NotifierError) {
        defer { sink.yield(.closed(id: id, reason: .byCall)) }
        do {
            // Another server's pop-up may have the id.
            _ = try recentServer(replacing: id)
            if let known = popups.remove(id) {
                try known.close()
            } else if id <= Int32.max {  // libnotify cannot name a larger one that it did not get itself
                try PopupHandle(known: id).close()
            }
        } catch {
            lose(after: error)
            throw error
        }
    }

    /// Its end was told before. One whose server went may name somebody else's by now.
    private func endExpired(_ id: UInt32) throws(NotifierError) {
        forgetFormerServer()
        guard popups.forgetExpired(id), id <= Int32.max else { return }
        do {
            _ = try recentServer(replacing: id)
            try PopupHandle(known: id).close()
        } catch {
            lose(after: error)
            throw error
        }
    }

    private func forgetFormerServer() {
        let changes = cnotify_server_changes()
        if changes != serverChanges { popups.forgetFormerServer() }
        serverChanges = changes
    }

    private func forget() {
        popups.removeAll()
        answer = nil
    }

    /// Reports a click, also one that came after the end of the pop-up.
    func acted(_ id: UInt32, _ name: String, _ token: String?) {
        forgetFormerServer()
        guard let action = popups.action(name, on: id) else { return }
        sink.yield(.action(id: id, name: action, activationToken: token))
    }

    /// Reports a typed reply, also one that came after the end of the pop-up.
    func replied(_ id: UInt32, _ text: String) {
        forgetFormerServer()
        guard popups.knows(id) else { return }
        sink.yield(.reply(id: id, text: text))
    }

    func closed(_ id: UInt32, _ reason: CloseReason) {
        forgetFormerServer()
        guard popups.remove(id) != nil || popups.removeAdopted(id), id != justReplaced else { return }
        if reason == .expired { popups.noteExpired(id) }
        sink.yield(.closed(id: id, reason: reason))
    }

    private func put(
        _ popup: Popup, inPlaceOf id: UInt32?, on server: NotificationServer
    ) throws(NotifierError) -> UInt32 {
        if let id, id > Int32.max { try end(id) }
        let shown = try send(popup, inPlaceOf: id, on: server)
        guard shown == id else { return shown }
        // The end of the old pop-up may have been on its way when the new one took its id: it would be taken
        // for the end of the new one, which then is on the screen without anybody listening to it.
        justReplaced = id
        defer { justReplaced = nil }
        GLibThread.shared.dispatchPending()
        return popups[shown] != nil ? shown : try send(popup, inPlaceOf: id, on: server)
    }

    private func send(
        _ popup: Popup, inPlaceOf id: UInt32?, on server: NotificationServer
    ) throws(NotifierError) -> UInt32 {
        let replaced = server.replacesByTag && !popup.stackTag.isEmpty ? nil : id
        let handle = handle(for: popup, inPlaceOf: replaced, on: server)
        let shown = try handle.show()
        if let id, popups[id] === handle, shown == id { return shown }
        if let id { popups.remove(id) }
        popups.add(handle, as: shown)
        return shown
    }

    private func handle(
        for popup: Popup, inPlaceOf id: UInt32?, on server: NotificationServer
    ) -> PopupHandle {
        let content = PopupContent(of: popup, by: applicationName, on: server.capabilities)
        guard let id, let known = popups[id] else {
            return PopupHandle(content, replacing: id)
        }
        known.change(to: content)
        return known
    }

    private func recentServer(replacing id: UInt32?) throws(NotifierError) -> NotificationServer {
        // Before the server's first signal, only its description shows that it is another one.
        let isAtRisk = id != nil || !popups.isEmpty
        if let answer, !hasServerChanged(), cnotify_knows_owner() || !isAtRisk { return answer.server }
        let previous = answer?.server
        let server = try askServer()
        if let previous, previous != server, isAtRisk {
            throw .serverChanged(server.name)
        }
        return server
    }

    /// Whether servers have come or gone since one was asked.
    func hasServerChanged() -> Bool { answer?.changes != cnotify_server_changes() }

    private func lose(after error: NotifierError) {
        answer = nil
        switch error {
        case .noBus, .noServer, .serverChanged:
            // libnotify would keep the dead connection, and what it knows of the server that was.
            popups.removeAll()
            cnotify_reset()
        case .refused, .timedOut, .cancelled: break
        }
    }
}

/// What is asked of the notifier from elsewhere. A cancelled task stops waiting at once, although libnotify's
/// call goes on: a server that hangs must not hold up the end of the program.
extension Notifier {
    /// The server and what it can do; nil where none answers.
    public nonisolated func server() async -> NotificationServer? {
        try? await call { notifier throws(NotifierError) in try notifier.describeServer() }
    }

    /// Shows `popup`, in the place of the pop-up `id` where it is still there. Returns the server's id for it.
    /// A call on its way cannot be taken back: when cancelled, it waits a moment for the id, without which
    /// the next run of the program would show the same again.
    public nonisolated func show(
        _ popup: Popup, replacing id: UInt32? = nil
    ) async throws(NotifierError) -> UInt32 {
        try await call(grace: .milliseconds(500)) { notifier throws(NotifierError) in
            try notifier.present(popup, replacing: id)
        }
    }

    /// Takes a pop-up off the screen, also one that an earlier run of the program has shown.
    public nonisolated func close(_ id: UInt32) async throws(NotifierError) {
        try await call { notifier throws(NotifierError) in try notifier.end(id) }
    }

    /// Takes one that expired out of the list of what was shown, which some servers keep. Where the server that
    /// showed it is gone nothing is done: the next one gives its ids anew.
    public nonisolated func closeExpired(_ id: UInt32) async throws(NotifierError) {
        try await call { notifier throws(NotifierError) in try notifier.endExpired(id) }
    }

    /// Reports clicks on these pop-ups, too, which an earlier run of the program has shown.
    public nonisolated func adopt(_ ids: Set<UInt32>) async {
        try? await call { notifier throws(NotifierError) in notifier.popups.adopt(ids) }
    }

    /// Forgets all ids: another server is there, or the same one was restarted.
    public nonisolated func forgetAll() async {
        try? await call { notifier throws(NotifierError) in notifier.forget() }
    }

    private nonisolated func call<Value: Sendable>(
        grace: Duration = .zero,
        _ work: @escaping @Sendable (isolated Notifier) throws(NotifierError) -> Value
    ) async throws(NotifierError) -> Value {
        let answer = Promise<Value>()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.awaited(by: continuation)
                GLibThread.shared.perform {
                    answer.give(self.assumeIsolated { notifier in Result.of(work, on: notifier) })
                }
            }
        } onCancel: {
            guard grace > .zero else { return answer.give(.failure(.cancelled)) }
            EventLoop.shared.after(grace) { answer.give(.failure(.cancelled)) }
        }
        return try result.get()
    }
}

extension Result where Success: Sendable, Failure == NotifierError {
    fileprivate static func of(
        _ work: (isolated Notifier) throws(NotifierError) -> Success, on notifier: isolated Notifier
    ) -> Self {
        do { return .success(try work(notifier)) } catch { return .failure(error) }
    }
}
