import Accounts
import CutieAPI
import EventLog
import FeedPolicy
import HTTP
import OAuth
import RSD2
import Reasons

/// Sends the requests that find services. Adds no account data to a request; only the caller can add the
/// access token of a user.
struct ServiceClient {
    let httpClient: HTTPClient
    let runtime: RuntimeEnvironment
    /// The configured index; `nil` if none is configured. Only the index may be on this computer: another
    /// server must not redirect requests to a local program.
    let index: EndpointURL?
    private static let timeout: Duration = .seconds(15)

    struct Response {
        let status: Int
        let body: [UInt8]
        let etag: String?
        /// The address of the response, after redirects within the same origin.
        let address: EndpointURL
    }

    func get(_ address: EndpointURL, etag: String? = nil, for person: ServiceUser) async throws -> Response {
        var headers = HTTPHeaders([
            (HeaderName.accept, "application/json, application/yaml;q=0.9, text/plain;q=0.8, text/html;q=0.7")
        ])
        if let etag { headers.append(name: "If-None-Match", value: etag) }
        return try await send(HTTPRequest(address.description, headers: headers), for: person, to: address)
    }

    /// Sends a discovery request to an index.
    ///
    /// - Parameter isAuthenticated: whether to send the access token of `person`.
    func sendDiscoveryRequest(
        forProtocols protocols: [String], to address: EndpointURL, for person: ServiceUser,
        isAuthenticated: Bool = false
    ) async throws -> Response {
        var headers = HTTPHeaders([
            (HeaderName.accept, "application/json"), (HeaderName.contentType, "application/json"),
        ])
        if isAuthenticated {
            headers.append(name: HeaderName.authorization, value: try await person.makeAuthorizationHeader())
        }
        let request = HTTPRequest(
            "POST", address.description, headers: headers, body: try JSON.encode(protocols))
        return try await send(request, for: person, to: address)
    }

    private func send(
        _ request: HTTPRequest, for person: ServiceUser, to address: EndpointURL
    ) async throws -> Response {
        var request = request
        // Accept one byte more than the limit, so that a larger document is rejected instead of truncated.
        request.responseLimit = ServiceDescription.sizeLimit + 1
        var policy = person.account.tlsPolicy(forServiceAt: address.origin)
        if address.origin == index?.origin { policy.allowedHosts = .all }
        let (sent, connections) = (request, policy)
        do {
            let response = try await runtime.withTimeout(Self.timeout) { [httpClient] in
                try await httpClient.send(sent, policy: connections)
            }
            guard let response else {
                throw DiscoveryFailure.unanswered(Reason(.hostSilent, ["host": address.origin]))
            }
            let etag = response.headers["ETag"].flatMap { $0.utf8.count <= 256 ? $0 : nil }
            return Response(
                status: response.status, body: response.body, etag: etag,
                address: (try? EndpointURL(response.url)) ?? address)
        } catch let error as HTTPError {
            if error.code == .cancelled { throw CancellationError() }
            if error.code == .refusedRedirect { throw DiscoveryFailure.redirected(error.reason) }
            throw DiscoveryFailure.unanswered(error.reason)
        }
    }
}

/// The reason why a service was not found or cannot be used.
enum DiscoveryFailure: Error, CustomStringConvertible {
    case notSignedIn
    /// The index requires a token, but is neither the API nor the issuer of a signed-in account. The value is
    /// the origin of the index.
    case otherIssuer(String)
    case noTokens(String)
    /// The host, and the reason why its token endpoint cannot be used.
    case unusableTokens(String, Reason)
    case noProtocols(String)
    /// The document describes a service on another host, and that host does not describe the service. The
    /// values are the host of the document and the host of the service.
    case undescribed(String, String)
    case onlyXML(String)
    /// The host, and the reason why its link to a description cannot be used.
    case unusableLink(String, Reason)
    /// The server redirects to another origin.
    case redirected(Reason)
    case answered(String, Int)
    case unanswered(Reason)
    case unreadable(String, ServiceDescription.ParseError)
    case unreadableList(String, ServiceList.ParseError)

    /// Whether the response is permanently invalid, so that a retry would fail in the same way.
    var isUnusable: Bool {
        switch self {
        case .unreadable, .unreadableList, .onlyXML, .noTokens, .unusableTokens, .noProtocols, .undescribed,
            .unusableLink, .redirected:
            true
        case .notSignedIn, .otherIssuer, .answered, .unanswered: false
        }
    }

    var isUnusableLink: Bool {
        if case .unusableLink = self { true } else { false }
    }

    /// Whether the server has no document at the address.
    var isMissing: Bool {
        if case .answered(_, let status) = self { status == 404 || status == 410 } else { false }
    }

    var description: String { reason.english }

    var reason: Reason {
        switch self {
        case .notSignedIn: Reason(.nobodySignedIn)
        case .otherIssuer(let origin): Reason(.indexNeedsSignIn, ["host": origin])
        case .noTokens(let name): Reason(.serviceWithoutTokens, ["service": name])
        case .unusableTokens(let host, let reason):
            Reason(.serviceTokensUnusable, ["host": host], because: reason)
        case .noProtocols(let name): Reason(.serviceWithoutProtocols, ["service": name])
        case .undescribed(let host, let other):
            Reason(.serviceUndescribed, ["host": host, "other": other])
        case .onlyXML(let host): Reason(.descriptionOnlyXML, ["host": host])
        case .unusableLink(let host, let reason):
            Reason(.descriptionLinkUnusable, ["host": host], because: reason)
        case .redirected(let reason): reason
        case .answered(let origin, let status):
            Reason(.hostAnswered, ["host": origin, "status": String(status)])
        case .unanswered(let reason): reason
        case .unreadable(let host, let reason):
            Reason(.reasonOfHost, ["host": host], because: reason.reason)
        case .unreadableList(let host, let reason):
            Reason(.reasonOfHost, ["host": host], because: reason.reason)
        }
    }
}
