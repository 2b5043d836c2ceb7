import AccessAPI
public import FoundationEssentials

/// Hands the conversations of your app over to the Feedback App, where a person has those of all their apps.
///
/// Everything throws a ``CutiELinkError``, `CancellationError`, and ``CutiEError/networkError(_:)`` where cutied, or the API, is
/// not there.
public enum CutiELink {
    /// Whether the Feedback App is on this desktop; false also where cutied is not there to tell.
    public static var isFeedbackAppInstalled: Bool {
        get async { await CutiE.shared.isFeedbackAppInstalled() }
    }

    /// Hands the conversations over to the Feedback App on this desktop, and opens it.
    @discardableResult
    public static func openFeedbackApp() async throws -> CutiELinkResult {
        try await CutiE.shared.openFeedbackApp()
    }

    /// A code to type, or a link to show as a picture, by which the Feedback App on another device takes the conversations over.
    public static func generateLinkCode() async throws -> CutiELinkResult {
        try await CutiE.shared.generateLinkCode()
    }
}

/// What a hand-over needs.
public struct CutiELinkResult: Hashable, Sendable {
    /// What the link carries.
    public let linkCode: String
    /// The Feedback App was opened with it.
    public let didOpenApp: Bool
    /// The code to type on another device; nil where the app was opened here.
    public let shortCode: String?
    /// `cutie://link?token=...`
    public let link: URL
}

/// Why a hand-over failed.
public enum CutiELinkError: Error, Hashable, Sendable {
    /// ``CutiE/configure(appId:apiURL:appName:bundleId:)-method`` was not called, or the person took the app's access back.
    case notConfigured
    /// The API refused the app's account.
    case invalidCredentials
    /// The address of the API cannot be used.
    case invalidURL
    /// What came is no `cutie://` link with a code.
    case invalidDeepLink
    /// The answer makes no sense.
    case invalidResponse
    /// The API, or cutied, refused with this status.
    case serverError(Int)
    /// There is no Feedback App on this desktop: show ``CutiELink/generateLinkCode()``.
    case feedbackAppNotInstalled
}

extension CutiELinkError: CustomStringConvertible, LocalizedError {
    /// A sentence for the app's makers.
    public var description: String {
        switch self {
        case .notConfigured: CutiEError.notConfigured.description
        case .invalidCredentials: CutiEError.invalidAPIKey.description
        case .invalidURL: "the address of the API cannot be used"
        case .invalidDeepLink: "the link to the Feedback App cannot be read"
        case .invalidResponse: "the answer makes no sense"
        case .serverError(let status): "the hand-over was refused (\(status))"
        case .feedbackAppNotInstalled: "there is no Feedback App on this desktop; show a code instead"
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }

    /// What `error` is for a hand-over.
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
