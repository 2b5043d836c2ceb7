import FoundationEssentials
import Glibc
import Runtime

/// The feedback of your app: conversations between the user and you, the developer.
///
/// All calls go through cutied, the notification daemon on the user's desktop. The daemon stores the
/// conversations, sends messages that were written offline, and shows replies as notifications, even while
/// your app is not running. Call ``configure(appId:apiURL:useAppAttest:deviceContext:)-method`` on each
/// launch, then use the other methods from any task or thread. No event loop is needed.
///
/// The methods are those of the Cuti-E SDK, so code that was written for the SDK compiles. Methods that
/// return immediately work in the background: settings are sent before the next call, and errors are written
/// to standard error. Methods that wait throw a ``CutiEError`` or `CancellationError`.
///
/// Most methods also exist as static methods: `CutiE.configure(appId:)` is `CutiE.shared.configure(appId:)`.
public final class CutiE: Sendable {
    /// The instance for this process, connected to the daemon of the current user.
    public static let shared = CutiE(socket: AccessClient.standardPath())

    let session: AppSession
    /// The user's permission, the badge, and the delegate for replies.
    public let pushNotifications: CutiEPushNotifications
    /// Proofs of the app's identity. Not supported on a Linux desktop.
    public let appAttest = CutiEAppAttest()
    let forms = FormFollower()

    /// Creates an instance with another socket, for the tests of this package.
    package init(socket: String) {
        session = AppSession(socket: socket)
        pushNotifications = CutiEPushNotifications(session)
    }
}

// MARK: - Configuration

extension CutiE {
    /// Configures the app. The user is asked once whether replies to feedback may be shown on this desktop.
    ///
    /// Returns immediately: the question is asked in the background, and each later call waits for the answer
    /// and throws an error if the user refuses. Use ``ready()-method`` to wait. Call this method on each
    /// launch: once the user has allowed the app, the question is not asked again. With a different App ID or
    /// API, the app uses a different account, for which the user is asked separately. The most recent call
    /// takes effect, and the app sees only the conversations of that account. The question shows the name of
    /// the executable; ``configure(appId:apiURL:appName:bundleId:useAppAttest:deviceContext:)-method`` sets
    /// another name.
    ///
    /// - Parameters:
    ///   - appId: the App ID from your dashboard.
    ///   - apiURL: the address of the API: https, or http on a loopback address. With any other address, the
    ///   call is ignored and an error is written to standard error.
    ///   - useAppAttest: whether cutied proves to the API, with a key of this computer, that the account is
    ///   used on one device only.
    ///   - deviceContext: the device facts to send with each new conversation.
    public func configure(
        appId: String, apiURL: String = "https://api.cuti-e.com", useAppAttest: Bool = false,
        deviceContext: DeviceContextConfig = .none
    ) {
        configure(
            appId: appId, apiURL: apiURL, appName: Self.executableName(), useAppAttest: useAppAttest,
            deviceContext: deviceContext)
    }

    /// Configures the app like ``configure(appId:apiURL:useAppAttest:deviceContext:)-method``, with a name
    /// for the question. The SDK has no such method.
    ///
    /// - Parameters:
    ///   - appId: the App ID from your dashboard.
    ///   - apiURL: the address of the API: https, or http on a loopback address.
    ///   - appName: the name of the app in the question.
    ///   - bundleId: the ID of the app on this system, for example `org.example.Notes`. The call fails if the
    ///   system has verified another ID.
    ///   - useAppAttest: whether cutied proves to the API, with a key of this computer, that the account is
    ///   used on one device only.
    ///   - deviceContext: the device facts to send with each new conversation, if the user allows them.
    public func configure(
        appId: String, apiURL: String = "https://api.cuti-e.com", appName: String, bundleId: String? = nil,
        useAppAttest: Bool = false, deviceContext: DeviceContextConfig = .none
    ) {
        configure(
            AppRequest(
                appID: appId, apiURL: apiURL, appName: appName, bundleID: bundleId,
                usesAttestation: useAppAttest, context: deviceContext.enabledFields))
    }

    /// Applies a configuration. If the configuration is invalid, writes the reason to standard error.
    ///
    /// - Parameter asksNow: whether to ask the user now. If `false`, the first call that needs the account
    ///   asks.
    func configure(_ request: AppRequest, asksNow: Bool = true) {
        if let problem = request.problem { return AppSession.log("the app is not configured: \(problem)") }
        session.configure(request, asksNow: asksNow)
        pushNotifications.follow()
    }

    /// Configures the app with `appId`. Ignores `apiKey`, because API keys are no longer used.
    @available(*, deprecated, message: "API keys are no longer used; call configure(appId:)")
    public func configure(apiKey: String, appId: String, apiURL: String = "https://api.cuti-e.com") {
        configure(appId: appId, apiURL: apiURL)
    }

    /// Waits until the user has answered the question of `configure`, at most for two minutes, and until
    /// cutied has received the app's settings. The SDK has no such method.
    ///
    /// A program that ends soon after it changed a setting must call this method before it ends.
    ///
    /// - Throws: ``CutiEError/serverError(_:_:)`` with status 403 if the user refuses, and with 408 if the
    ///   user does not answer in time; later calls throw the same error until ``requestPermission()-method``
    ///   asks again. ``CutiEError/networkError(_:)`` if cutied is not running; the next call then tries
    ///   again. ``CutiEError/notConfigured`` if `configure` was not called, or the user revoked the app's
    ///   access.
    public func ready() async throws { try await session.ready() }

    /// Whether calls are possible: `configure` was called, and since then the user has not refused access,
    /// left the question unanswered, or revoked access.
    public var isConfigured: Bool { session.isConfigured }

    /// The current configuration; `nil` if `configure` was not called. Not part of the SDK.
    public var configuration: CutiEConfiguration? {
        session.request.map { CutiEConfiguration($0, session.settings, deviceID: session.deviceID ?? "") }
    }

    /// Requests permission to show replies on this desktop, and returns whether the user allows them. Waits
    /// for an open question. The user is asked again only if the user did not answer, or refused at least a
    /// day ago.
    @discardableResult
    public func requestPermission() async throws -> Bool {
        do {
            try await session.askAgain()
            pushNotifications.follow()
            return true
        } catch CutiEError.serverError(403, _), CutiEError.serverError(408, _) { return false }
    }

    static func executableName() -> String {
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "app"
        return path.split(separator: "/").last.map(String.init) ?? path
    }
}

extension AppRequest {
    /// The reason why the request cannot be sent; `nil` if it is valid.
    fileprivate var problem: String? {
        if appID.isEmpty { return "the App ID is empty" }
        return isSecure ? nil : "the API address is neither https nor loopback"
    }

    /// Whether the address uses https, or http on this computer. The daemon validates the rest of the
    /// address.
    private var isSecure: Bool {
        guard let url = URL(string: apiURL), let host = url.host(), !host.isEmpty else { return false }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http":
            return ["localhost", "::1", "[::1]"].contains(host.lowercased()) || host.hasPrefix("127.")
        default: return false
        }
    }
}

// MARK: - Settings

extension CutiE {
    /// Sets your ID for the user; `nil` removes it. Returns immediately; the ID is sent before the next call,
    /// or when the app is configured.
    public func setUserId(_ userId: String?) {
        session.set { $0.user = .init(id: userId, name: $0.user?.name) }
    }

    /// Sets your ID for the user, like ``setUserId(_:)-method``.
    public func setUserID(_ userID: String?) { setUserId(userID) }

    /// Sets the user's name; `nil` removes it. Name and ID are sent together, so set both in each run, or
    /// neither.
    public func setUserName(_ userName: String?) {
        session.set { $0.user = .init(id: $0.user?.id, name: userName) }
    }

    /// Sets the version of the app, which is sent with each new conversation.
    public func setAppMetadata(version: String, build: String) {
        session.set { $0.version = .init(version: version, build: build) }
    }
}
