import NotificationPolicy
import Synchronization
import TestSupport

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

/// A notification server that only records calls. Real notification servers are used in the end-to-end tests.
final class FakeNotificationServer: NotificationBackend {
    struct State {
        var isThere = true
        var name = "fake"
        /// The description of the failed query for the capabilities; `nil` if the query succeeds.
        var problem: String?
        var nextID: UInt32 = 1
        var shown: [(notification: DesktopNotification, replaced: UInt32?, id: UInt32)] = []
        var closed: [UInt32] = []
        /// The calls, oldest first, such as `show 1` and `close 1`.
        var calls: [String] = []
        /// The error that the next `show` throws.
        var refusal: NotifierError?
        /// A gate that the next `show` waits for.
        var hang: Gate.Asynchronous?
        /// The number of calls of `fetchServer`.
        var queries = 0
        /// Whether calls of `fetchServer` wait until the test resets this flag.
        var holdsQueries = false
        /// The number of calls of `adoptNotifications`.
        var adoptions = 0
        /// Whether calls of `adoptNotifications` wait until the test resets this flag.
        var holdsAdoptions = false
        /// The number of upcoming `show` calls that the server refuses.
        var refusals = 0
        /// A text that the server refuses in the body of a notification.
        var refusedWords: String?
        /// The time of each `show` call, including refused calls.
        var attempts: [Duration] = []
        /// The clock of `attempts`.
        var uptime: @Sendable () -> Duration = { .zero }
    }

    let events = AsyncStream<NotificationEvent> { $0.finish() }
    private let state = Mutex(State())

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }
    var shown: [(notification: DesktopNotification, replaced: UInt32?, id: UInt32)] {
        state.withLock { $0.shown }
    }
    var attempts: [Duration] { state.withLock { $0.attempts } }
    var calls: [String] { state.withLock { $0.calls } }
    var queries: Int { state.withLock { $0.queries } }
    var adoptions: Int { state.withLock { $0.adoptions } }
    var closed: [UInt32] { state.withLock { $0.closed } }

    func fetchServer() async -> NotificationServer? {
        state.withLock { $0.queries += 1 }
        while state.withLock({ $0.holdsQueries }) { try? await Task.sleep(for: .milliseconds(1)) }
        return state.withLock { state in
            guard state.isThere else { return nil }
            return NotificationServer(
                name: state.name, vendor: "test", version: "1", specVersion: "1.2",
                capabilities: state.problem == nil ? ["actions", "inline-reply"] : [],
                problem: state.problem)
        }
    }

    func isStillRunning(_ server: NotificationServer) async -> Bool { await self.fetchServer() == server }

    func show(_ notification: DesktopNotification, replacing id: UInt32?) async throws(NotifierError)
        -> UInt32
    {
        await state.withLock { $0.hang.take() }?.wait()
        let result = state.withLock { state -> Result<UInt32, NotifierError> in
            state.attempts.append(state.uptime())
            if state.refusals > 0 {
                state.refusals -= 1
                return .failure(.refused("no"))
            }
            if let words = state.refusedWords, notification.body.contains(words) {
                return .failure(.refused("no"))
            }
            if let refusal = state.refusal.take() { return .failure(refusal) }
            guard state.isThere else { return .failure(.noServer("gone")) }
            let given = id ?? state.nextID
            if id == nil { state.nextID += 1 }
            state.shown.append((notification, id, given))
            state.calls.append("show \(given)")
            return .success(given)
        }
        return try result.get()
    }

    func close(_ id: UInt32) async throws(NotifierError) {
        let isThere = state.withLock { state in
            if state.isThere {
                state.closed.append(id)
                state.calls.append("close \(id)")
            }
            return state.isThere
        }
        if !isThere { throw .noServer("gone") }
    }

    func removeFromHistory(_ id: UInt32) async throws(NotifierError) { try await close(id) }

    var serverInstance: String? { "fake 1" }

    var startFailure: String? { nil }

    func adoptNotifications(withOpenIDs ids: Set<UInt32>, serverInstancesByClosedID: [UInt32: String]) async {
        state.withLock { $0.adoptions += 1 }
        while state.withLock({ $0.holdsAdoptions }) { try? await Task.sleep(for: .milliseconds(1)) }
    }

    func discardAllIDs() async {}
}
