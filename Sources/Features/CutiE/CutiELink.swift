import AccessAPI
public import FoundationEssentials
import Glibc
import Platform

/// Hands the conversations of your app over to the Feedback App, which shows the conversations of all of a
/// user's apps.
///
/// The methods are those of the SDK's CutiELink, and `import CutiELink` is enough to use them. The methods
/// throw a ``CutiELinkError``, `CancellationError`, or ``CutiEError/networkError(_:)`` if cutied or the API
/// is not reachable.
public final class CutiELink: Sendable {
    /// The instance of this process. All methods are static, so the instance is rarely needed.
    public static let shared = CutiELink()

    /// The address of the hosted service's sandbox.
    private static let sandbox = "https://cutie-worker-sandbox.invotekas.workers.dev"

    private init() {}

    /// Configures the app like ``CutiE/configure(appId:apiURL:useAppAttest:deviceContext:)-method``; the most
    /// recent call of either method takes effect. The user is asked when a call needs the account.
    public static func configure(appId: String, apiURL: String = "https://api.cuti-e.com") {
        CutiE.shared.configure(AppRequest(appID: appId, apiURL: apiURL), asksNow: false)
    }

    /// Configures the app with `appId`. Ignores `apiKey`, because API keys are no longer used. Without an App
    /// ID, the app is not configured.
    @available(*, deprecated, message: "API keys are no longer used; call configure(appId:)")
    public static func configure(apiKey: String, appId: String? = nil) {
        guard let appId else { return CutiE.shared.session.reset() }
        configure(appId: appId)
    }

    /// Switches to the sandbox of the hosted service, for which the user is asked separately.
    /// ``configure(appId:apiURL:)`` selects the address in its `apiURL` again, so call `useSandbox()` after
    /// each `configure`.
    public static func useSandbox() {
        guard let request = CutiE.shared.session.request else {
            return AppSession.log("useSandbox() has no effect before configure(appId:)")
        }
        CutiE.shared.configure(
            AppRequest(appID: request.appID, apiURL: sandbox, appName: request.appName), asksNow: false)
    }

    /// Whether the Feedback App is installed on this desktop, that is, whether a program other than cutied
    /// opens `cutie:` links. `false` in a sandbox that hides the programs of the desktop.
    @MainActor public static var isFeedbackAppInstalled: Bool {
        let environment = AccessClient.variables([
            "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS",
            "XDG_CURRENT_DESKTOP",
        ])
        let handler = LinkHandler.find(forScheme: "cutie", environment: environment)
        return handler.map { !Product.includes(desktopFile: $0.id) } ?? false
    }

    /// Hands the conversations over to the Feedback App on this desktop, and opens the app.
    ///
    /// - Returns: always `true`.
    /// - Throws: ``CutiELinkError/feedbackAppNotInstalled`` if the app is not installed; in that case, show
    ///   the result of ``generateLinkCode()``.
    @MainActor @discardableResult
    public static func openFeedbackApp() async throws -> Bool {
        try await handOver().didOpenApp
    }

    /// Hands the conversations over like ``openFeedbackApp()``, and returns the link. The SDK has no such
    /// method.
    @discardableResult
    public static func handOver() async throws -> CutiELinkResult {
        try await CutiE.shared.openFeedbackApp()
    }

    /// Returns a code to type and a link to show as a QR code, for the Feedback App on another device. The
    /// SDK has no such method.
    public static func generateLinkCode() async throws -> CutiELinkResult {
        try await CutiE.shared.generateLinkCode()
    }
}

/// The result of a hand-over to the Feedback App.
public struct CutiELinkResult: Hashable, Sendable {
    /// The token in the link.
    public let linkCode: String
    /// Whether the Feedback App was opened on this desktop.
    public let didOpenApp: Bool
    /// The code to type on another device; `nil` if the Feedback App was opened on this desktop.
    public let shortCode: String?
    /// The link to open in the Feedback App: `cutie://link?token=...`
    public let link: URL
}

/// The reason why a hand-over failed.
public enum CutiELinkError: Error, Hashable, Sendable {
    /// ``CutiELink/configure(appId:apiURL:)`` was not called, or the user revoked the app's access.
    case notConfigured
    /// The API rejected the app's account.
    case invalidCredentials
    /// The address of the API is invalid.
    case invalidURL
    /// The link is not a `cutie://` link with a code.
    case invalidDeepLink
    /// The reply cannot be decoded.
    case invalidResponse
    /// The Feedback App is not installed on this desktop; show the result of
    /// ``CutiELink/generateLinkCode()`` instead.
    case serverError(Int)
    /// The Feedback App is not installed on this desktop; show ``CutiELink/generateLinkCode()`` instead.
    case feedbackAppNotInstalled
}

extension CutiELinkError: CustomStringConvertible, LocalizedError {
    /// An English message for the developers of the app.
    public var description: String {
        switch self {
        case .notConfigured: CutiEError.notConfigured.description
        case .invalidCredentials: CutiEError.invalidAPIKey.description
        case .invalidURL: "the address of the API is not valid"
        case .invalidDeepLink: "the link to the Feedback App cannot be read"
        case .invalidResponse: "the server sent an invalid response"
        case .serverError(let status): "sharing the account was refused (\(status))"
        case .feedbackAppNotInstalled: "there is no Feedback App on this desktop; show a code instead"
        }
    }

    /// The value of `description`.
    public var errorDescription: String? { description }

    /// Converts an error of a hand-over.
    static func of(_ error: any Error) -> any Error {
        switch error {
        case CutiEError.notConfigured: CutiELinkError.notConfigured
        case CutiEError.invalidAPIKey: CutiELinkError.invalidCredentials
        case CutiEError.invalidRequest: CutiELinkError.invalidURL
        case CutiEError.decodingError: CutiELinkError.invalidResponse
        case CutiEError.serverError(401, _): CutiELinkError.invalidCredentials
        case CutiEError.serverError(let status, _): CutiELinkError.serverError(status)
        default: error
        }
    }
}

extension CutiE {
    package func openFeedbackApp() async throws -> CutiELinkResult {
        try await handOver {
            guard try await session.ask(AppInstalled()).installed else {
                throw CutiELinkError.feedbackAppNotInstalled
            }
            let link = try await session.ask(AppOpen()).link
            return try CutiELinkResult(link: link, didOpenApp: true, shortCode: nil)
        }
    }

    package func generateLinkCode() async throws -> CutiELinkResult {
        try await handOver {
            let reply = try await session.ask(AppCode())
            return try CutiELinkResult(link: reply.link, didOpenApp: false, shortCode: reply.code)
        }
    }

    private func handOver(_ body: () async throws -> CutiELinkResult) async throws -> CutiELinkResult {
        do { return try await body() } catch { throw CutiELinkError.of(error) }
    }
}

extension CutiELinkResult {
    init(link text: String, didOpenApp: Bool, shortCode: String?) throws(CutiELinkError) {
        guard let link = URL(string: text), link.scheme == "cutie",
            let items = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems,
            let code = items.first(where: { $0.name == "token" })?.value, !code.isEmpty
        else { throw .invalidDeepLink }
        (linkCode, self.link) = (code, link)
        (self.didOpenApp, self.shortCode) = (didOpenApp, shortCode)
    }
}
