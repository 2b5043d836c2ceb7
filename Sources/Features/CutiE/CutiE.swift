import AccessAPI
import FoundationEssentials
import Glibc
import Runtime
import VarlinkSocket

/// The feedback of your app: conversations between the user and you, its maker.
///
/// All calls go through cutied, the notification daemon on the user's desktop. It stores the conversations,
/// sends messages that were written offline, and shows replies as notifications, also while your app is not
/// running. Call ``configure(appId:apiURL:appName:bundleId:)-method`` at each start, then use the other
/// methods from any task. No event loop is needed. Asynchronous methods throw a ``CutiEError`` or
/// `CancellationError`.
///
/// Each method also exists as a static one: `CutiE.configure(appId:)` is `CutiE.shared.configure(appId:)`.
public final class CutiE: Sendable {
    /// The instance of this process.
    public static let shared = CutiE(socket: AccessClient.standardPath())

    let client: AccessClient
    private let state = Locked(State())

    /// For tests of this package: `shared` reads the path of the socket from the environment.
    package init(socket: String) { client = AccessClient(path: socket) }

    /// Asks the user, once, whether replies to feedback may be shown on this desktop. Returns when the user
    /// has answered, after two minutes at most. An app that was allowed is not asked about again, so call
    /// this method at each start.
    ///
    /// - Parameters:
    ///   - appId: the App ID from your dashboard.
    ///   - apiURL: the address of the API, if it is not the hosted one: https, or http on a loopback address.
    ///   - appName: the name in the question; `nil` uses the name of the executable.
    ///   - bundleId: the id of the app on this system, for example `org.example.Notes`. An id that
    ///   contradicts the system is rejected.
    /// - Throws: ``CutiEError/serverError(_:_:)`` with status 403 if the user refuses or does not answer in
    ///   time; ``CutiEError/networkError(_:)`` if cutied is not running.
    public func configure(
        appId: String, apiURL: String? = nil, appName: String? = nil, bundleId: String? = nil
    ) async throws {
        guard !appId.isEmpty else { throw CutiEError.invalidRequest }
        try await configure(
            Configure(
                appId: appId, apiUrl: apiURL, bundleId: bundleId, appName: appName ?? Self.executableName()))
    }

    private func configure(_ call: Configure) async throws {
        state.withLock { $0.requestedConfiguration = call }
        _ = try await client.call(call, timeout: AccessClient.questionTimeout)
        let start = try await firstEntry()
        let (user, metadata) = state.withLock { state in
            state.begin(at: start)
            return (state.user, state.metadata)
        }
        if let metadata { _ = try await ask(metadata) }
        if let user { _ = try await ask(user) }
    }

    /// Whether the app can be used: the user has allowed it since the program started, and has not revoked
    /// it.
    public var isConfigured: Bool { state.withLock { $0.isConfigured } }

    /// Returns whether the user allows replies on this desktop. The question is asked by
    /// ``configure(appId:apiURL:appName:bundleId:)-method``. This method only returns the answer if the user
    /// allowed it, and asks again if the user refused, which cutied permits once a day.
    @discardableResult
    public func requestPermission() async throws -> Bool {
        guard let call = state.withLock({ $0.requestedConfiguration }) else { throw CutiEError.notConfigured }
        do {
            try await configure(call)
            return true
        } catch CutiEError.serverError(403, _) { return false }
    }

    /// Sets your id for the user; `nil` removes it. A value that is set before `configure` is sent by
    /// `configure`.
    public func setUserId(_ id: String?) async throws {
        try await notifyDaemon { $0.user = SetUser(userId: id, userName: $0.user?.userName) }
    }

    /// Sets the user's name; `nil` removes it. It is sent together with the id: set both in each run, or
    /// neither.
    public func setUserName(_ name: String?) async throws {
        try await notifyDaemon { $0.user = SetUser(userId: $0.user?.userId, userName: name) }
    }

    private func notifyDaemon(_ change: (inout State) -> Void) async throws {
        let call = state.withLock { state in
            change(&state)
            return state.isConfigured ? state.user : nil
        }
        if let call { _ = try await ask(call) }
    }

    /// Sets the version of the app, which is sent with each new conversation.
    public func setAppMetadata(version: String?, build: String? = nil, bundleId: String? = nil) async throws {
        let call = SetAppMetadata(version: version, build: build, bundleId: bundleId)
        let isConfigured = state.withLock { state in
            state.metadata = call
            return state.isConfigured
        }
        if isConfigured { _ = try await ask(call) }
    }

    /// The number of unread replies, as last reported by the daemon. ``messages-property`` and
    /// ``getUnreadCount()-method`` update it.
    public var unreadCount: Int { state.withLock { $0.unreadCount } }

    private static func executableName() -> String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "app"
        return path.split(separator: "/").last.map(String.init) ?? path
    }
}

/// The calls on which all methods are built.
extension CutiE {
    /// Calls `call`, provided that the app is configured.
    func ask<M: AccessMethod>(_ call: M) async throws -> M.Reply {
        try await configured { try await client.call(call) }
    }

    /// Calls `call` like `ask`, exactly once, even if its answer is lost.
    func askOnce<M: RepeatableMethod>(_ call: M) async throws -> M.Reply {
        try await configured { try await client.callOnce(call) }
    }

    /// Runs `body`, and notices if the user has revoked the app's access.
    func configured<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard isConfigured else { throw CutiEError.notConfigured }
        do { return try await body() } catch CutiEError.notConfigured {
            state.withLock { $0.isConfigured = false }
            throw CutiEError.notConfigured
        }
    }

    func setUnread(_ count: Int) { state.withLock { $0.unreadCount = count } }

    /// The position of the log when the app was configured.
    var start: Int64? { state.withLock { $0.start } }

    private func firstEntry() async throws -> Watch.Reply {
        var replies = try await client.stream(Watch())
        return try await client.mappingErrors {
            guard let first = try await replies.next() else {
                throw CutiEError.decodingError("the stream is empty")
            }
            return try first.value
        }
    }
}

/// The state of the app in this process.
private struct State {
    /// The configuration that the user was asked about, whatever the answer was.
    var requestedConfiguration: Configure?
    var isConfigured = false
    var user: SetUser?
    var metadata: SetAppMetadata?
    var unreadCount = 0
    var start: Int64?

    /// Starts at `entry`. An app that is configured again continues at its old position.
    mutating func begin(at entry: Watch.Reply) {
        isConfigured = true
        unreadCount = entry.badge ?? unreadCount
        start = start ?? entry.sequence
    }
}
