import AccessAPI
public import FoundationEssentials

/// Hands the conversations of your app over to the Feedback App, which shows the conversations of all of a
/// user's apps.
///
/// Methods throw a ``CutiELinkError``, `CancellationError`, or ``CutiEError/networkError(_:)`` if cutied or
/// the API cannot be reached.
public enum CutiELink {
    /// Whether the Feedback App is installed on this desktop; false if cutied is not running.
    public static var isFeedbackAppInstalled: Bool {
        get async { await CutiE.shared.isFeedbackAppInstalled() }
    }

    /// Hands the conversations over to the Feedback App on this desktop, and opens it.
    @discardableResult
    public static func openFeedbackApp() async throws -> CutiELinkResult {
        try await CutiE.shared.openFeedbackApp()
    }

    /// Returns a code to type, and a link to show as a QR code, for the Feedback App on another device.
    public static func generateLinkCode() async throws -> CutiELinkResult {
        try await CutiE.shared.generateLinkCode()
    }
}

/// The result of a hand-over.
public struct CutiELinkResult: Hashable, Sendable {
    /// The token in the link.
    public let linkCode: String
    /// Whether the Feedback App was opened.
    public let didOpenApp: Bool
    /// The code to type on another device; `nil` if the Feedback App was opened here.
    public let shortCode: String?
    /// `cutie://link?token=...`
    public let link: URL
}

/// The reason why a hand-over failed.
public enum CutiELinkError: Error, Hashable, Sendable {
    /// ``CutiE/configure(appId:apiURL:appName:bundleId:)-method`` was not called, or the user revoked the
    /// app's access.
    case notConfigured
    /// The API rejected the app's account.
    case invalidCredentials
    /// The address of the API is invalid.
    case invalidURL
    /// The link is not a `cutie://` link with a code.
    case invalidDeepLink
    /// The answer cannot be decoded.
    case invalidResponse
    /// The API or cutied rejected the call with this status.
    case serverError(Int)
    /// The Feedback App is not installed on this desktop: show ``CutiELink/generateLinkCode()``.
    case feedbackAppNotInstalled
}

extension CutiELinkError: CustomStringConvertible, LocalizedError {
    /// A sentence for the developers of the app.
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

    /// Equal to `description`.
    public var errorDescription: String? { description }

    /// Converts an error of a hand-over.
    static func of(_ error: any Error) -> any Error {
        switch error {
        case CutiEError.notConfigured: CutiELinkError.notConfigured
        case CutiEError.invalidAPIKey: CutiELinkError.invalidCredentials
        case CutiEError.invalidRequest: CutiELinkError.invalidURL
        case CutiEError.decodingError: CutiELinkError.invalidResponse
        case CutiEError.serverError(let status, _): CutiELinkError.serverError(status)
        default: error
        }
    }
}

extension CutiE {
    package func isFeedbackAppInstalled() async -> Bool {
        (try? await client.call(AppInstalled()).installed) ?? false
    }

    package func openFeedbackApp() async throws -> CutiELinkResult {
        try await handOver {
            guard try await ask(AppInstalled()).installed else {
                throw CutiELinkError.feedbackAppNotInstalled
            }
            return try CutiELinkResult(link: try await ask(AppOpen()).link, didOpenApp: true, shortCode: nil)
        }
    }

    package func generateLinkCode() async throws -> CutiELinkResult {
        try await handOver {
            let reply = try await ask(AppCode())
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
