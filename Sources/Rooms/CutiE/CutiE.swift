import AccessAPI
import FoundationEssentials
import Glibc
import Threads
import VarlinkSocket

/// The feedback of your app: conversations between the person and you, its maker.
///
/// Everything goes through cutied, the notification daemon on the person's desktop: it keeps the conversations, sends what
/// was written offline, and shows answers as pop-ups, also while your app does not run. Call
/// ``configure(appId:apiURL:appName:bundleId:)-method`` at each start, then use the rest, from any task; a program needs no event loop
/// of ours. What waits throws a ``CutiEError``, or `CancellationError`.
///
/// Every method is there as a static one, too: `CutiE.configure(appId:)` is `CutiE.shared.configure(appId:)`.
public final class CutiE: Sendable {
    /// The one of this process.
    public static let shared = CutiE(socket: AccessClient.standardPath())

    let client: AccessClient
    private let state = Locked(State())

    /// For tests of this package: `shared` reads where the socket is from the environment.
    package init(socket: String) { client = AccessClient(path: socket) }

    /// Asks the person, once, whether answers to feedback may come to this desktop, and returns when they have answered: within two
    /// minutes at the latest. An app that was allowed is not asked about again, so call this at each start.
    ///
    /// - Parameters:
    ///   - appId: the App ID of your dashboard.
    ///   - apiURL: of another API than the hosted one: https, or http on loopback.
    ///   - appName: as the person reads it in the question; nil: the name of the executable.
    ///   - bundleId: the name that the system knows the app by, such as `org.example.Notes`; one that contradicts what the system
    ///     says is refused.
    /// - Throws: ``CutiEError/serverError(_:_:)`` with status 403 where the person says no, or nothing in time;
    ///   ``CutiEError/networkError(_:)`` where cutied does not run.
    public func configure(
        appId: String, apiURL: String? = nil, appName: String? = nil, bundleId: String? = nil
    ) async throws {
        guard !appId.isEmpty else { throw CutiEError.invalidRequest }
        try await configure(
            Configure(
                appId: appId, apiUrl: apiURL, bundleId: bundleId, appName: appName ?? Self.executableName()))
    }

    private func configure(_ call: Configure) async throws {
        state.withLock { $0.asked = call }
        _ = try await client.call(call, timeout: AccessClient.questionTimeout)
        let start = try await firstEntry()
        let (user, metadata) = state.withLock { state in
            state.begin(at: start)
            return (state.user, state.metadata)
        }
        if let metadata { _ = try await ask(metadata) }
        if let user { _ = try await ask(user) }
    }

    /// Whether the app may be used: the person allowed it in this run of the program, and has not taken that back since.
    public var isConfigured: Bool { state.withLock { $0.isConfigured } }

    /// Whether the person allows that answers come here. cutied asks them in ``configure(appId:apiURL:appName:bundleId:)-method``, so this
    /// only looks where they said yes, and asks again where they said no, which cutied lets an app do once a day.
    @discardableResult
    public func requestPermission() async throws -> Bool {
        guard let call = state.withLock({ $0.asked }) else { throw CutiEError.notConfigured }
        do {
            try await configure(call)
            return true
        } catch CutiEError.serverError(403, _) { return false }
    }

    /// Who the person is for you; nil forgets it. What was set before `configure` is told then.
    public func setUserId(_ id: String?) async throws {
        try await tell { $0.user = SetUser(userId: id, userName: $0.user?.userName) }
    }

    /// What the person is called; nil forgets it. It goes together with the id: set both in each run, or neither.
    public func setUserName(_ name: String?) async throws {
        try await tell { $0.user = SetUser(userId: $0.user?.userId, userName: name) }
    }

    private func tell(_ change: (inout State) -> Void) async throws {
        let call = state.withLock { state in
            change(&state)
            return state.isConfigured ? state.user : nil
        }
        if let call { _ = try await ask(call) }
    }

    /// What the app is, as you are told with each new conversation.
    public func setAppMetadata(version: String?, build: String? = nil, bundleId: String? = nil) async throws {
        let call = SetAppMetadata(version: version, build: build, bundleId: bundleId)
        let isConfigured = state.withLock { state in
            state.metadata = call
            return state.isConfigured
        }
        if isConfigured { _ = try await ask(call) }
    }

    /// How many answers are unread, as far as was heard: ``messages-property`` and ``getUnreadCount()-method`` keep it up to date.
    public var unreadCount: Int { state.withLock { $0.unreadCount } }

    private static func executableName() -> String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "app"
        return path.split(separator: "/").last.map(String.init) ?? path
    }
}

/// What the calls of an app rest on.
extension CutiE {
    /// The reply to `call` of an app that is configured.
    func ask<M: AccessMethod>(_ call: M) async throws -> M.Reply {
        try await configured { try await client.call(call) }
    }

    /// The same of one that is done once, also where its answer is lost.
    func askOnce<M: RepeatableMethod>(_ call: M) async throws -> M.Reply {
        try await configured { try await client.callOnce(call) }
    }

    /// Notices that the person took the app's access back.
    func configured<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard isConfigured else { throw CutiEError.notConfigured }
        do { return try await body() } catch CutiEError.notConfigured {
            state.withLock { $0.isConfigured = false }
            throw CutiEError.notConfigured
        }
    }

    func setUnread(_ count: Int) { state.withLock { $0.unreadCount = count } }

    /// Where the log stood when the app was configured.
    var start: Int64? { state.withLock { $0.start } }

    private func firstEntry() async throws -> Watch.Reply {
        var replies = try await client.stream(Watch())
        return try await client.typed {
            guard let first = try await replies.next() else {
                throw CutiEError.decodingError("an empty stream")
            }
            return try first.value
        }
    }
}

/// What one process knows of its app.
private struct State {
    /// The configuration that the person was asked about, whatever they said.
    var asked: Configure?
    var isConfigured = false
    var user: SetUser?
    var metadata: SetAppMetadata?
    var unreadCount = 0
    var start: Int64?

    /// Begins the life of the app at `entry`; one that is configured again goes on where it was.
    mutating func begin(at entry: Watch.Reply) {
        isConfigured = true
        unreadCount = entry.badge ?? unreadCount
        start = start ?? entry.sequence
    }
}
