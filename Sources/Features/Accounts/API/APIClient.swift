package import CutieAPI
package import Domain
import EventLog
import EventSource
import HTTP
import Logging
import OAuth
import Reasons

/// Provides the credentials for requests, and handles refusals of the credentials.
package protocol Authorizer: AnyObject, Sendable {
    /// Loads the credentials of a previous run. May wait until the user unlocks a keyring.
    func loadCredentials() async throws(APIFailure)
    /// Whether credentials are available, so that the next request needs no preceding API call.
    var isReady: Bool { get }
    /// Obtains the credentials that `headers(for:)` adds. Returns immediately if `isReady`.
    func ensureCredentials(using client: APIClient) async throws(APIFailure)
    /// Returns the headers that identify the account in a request.
    func headers(for request: APIRequest) -> [APIRequest.Header]
    /// A number that identifies the current credentials, so that a delayed refusal of old credentials does
    /// not invalidate the new credentials.
    var generation: Int { get }
    /// Handles a 401 response to a request that was sent with the credentials of `generation`. Returns
    /// whether a retry may succeed. `isFromAPI`: whether the API itself sent the response, not an
    /// intermediary such as a proxy.
    func recoverFromUnauthorized(
        credentialGeneration generation: Int, isFromAPI: Bool, using client: APIClient
    ) async throws(APIFailure) -> Bool
    /// Handles a 403 response that does not have the API's error format. `generation`: identifies the
    /// credentials of the request. Returns whether a retry may succeed: some gateways respond with a 403 if
    /// a token has expired.
    func recoverFromForbidden(credentialGeneration generation: Int) async throws(APIFailure) -> Bool
    /// Whether the API itself issues new credentials. If so, the response after a renewal comes from the API,
    /// not from an intermediary.
    var isRenewedByAPI: Bool { get }
    /// Records whether the API accepted the credentials of `generation`.
    func recordCredentialResult(_ result: CredentialResult, ofGeneration generation: Int)
    /// Runs periodic work that no request triggers, until cancelled.
    func runPeriodicWork(using client: APIClient) async throws
    /// The authentication state that is known without a request.
    var authentication: AuthenticationState { get }
}

/// Whether the API accepted the credentials of a request.
package enum CredentialResult {
    case accepted
    /// The API responded with a second 401, although new credentials had been obtained.
    case refusedAfterRetry
}

extension Authorizer {
    package var isRenewedByAPI: Bool { true }
    package func recordCredentialResult(_ result: CredentialResult, ofGeneration generation: Int) {}
    package func recoverFromForbidden(credentialGeneration generation: Int) async throws(APIFailure) -> Bool {
        false
    }
}

/// The API client of an account. Throws `APIFailure`, which has one case for each required reaction.
package final class APIClient {
    /// The maximum size of a response in bytes: large enough for a conversation with all its messages, but
    /// too small to exhaust the memory.
    private static let responseLimit = 64 << 20

    let account: Account
    /// The profile of the user on whose behalf requests are sent.
    let profile: Profile
    private let httpClient: HTTPClient
    private let authorizer: any Authorizer
    /// `nil` if the kind of account does not use attestation.
    private let attestor: Attestor?
    private let clocks: ServerClocks
    private let runtime: RuntimeEnvironment
    /// Counts the parts of responses that could not be decoded.
    package let unreadable: UnreadableResponseLog

    init(
        account: Account, profile: Profile, httpClient: HTTPClient, authorizer: any Authorizer,
        attestor: Attestor?, clocks: ServerClocks, runtime: RuntimeEnvironment, logger: Logger
    ) {
        unreadable = UnreadableResponseLog(logger: logger)
        (self.attestor, self.clocks) = (attestor, clocks)
        (self.account, self.profile, self.httpClient) = (account, profile, httpClient)
        (self.authorizer, self.runtime) = (authorizer, runtime)
    }

    package func send<Answer>(_ endpoint: Endpoint<Answer>) async throws(APIFailure) -> Answer {
        let answer = try await sendAuthorized(endpoint.request) { request throws(APIFailure) in
            try await self.performRequest(request)
        }
        return try await decodeResponse(of: endpoint, from: answer)
    }

    /// Registers the device. A 401 means that the App ID is invalid, because the request contains no token.
    /// Throws if no response arrived or the App ID was refused.
    func register(
        _ registration: Registration
    ) async throws(APIFailure) -> DeviceRegistration.Response {
        let endpoint = Endpoint.register(registration)
        let answer = try await performRequest(endpoint.request)
        if answer.response.status == 401, isFromAPI(answer) {
            throw .forbidden(account.makeRefusalReason(forAppID: registration.appID))
        }
        do throws(APIFailure) {
            try checkStatus(of: answer)
            return .token(try await decodeResponse(of: endpoint, from: answer).deviceToken)
        } catch {
            return switch error {
            case .absent(let reason): .notOffered(reason)
            case .retry(let reason, let floor, _): .refused(reason, floor: floor)
            default: .refused(error.reason, floor: nil)
            }
        }
    }

    /// Returns a page of conversations; `nil` if the list has not changed since `etag`.
    func listConversations(
        limit: Int, offset: Int, etag: String?
    ) async throws(APIFailure) -> (page: ConversationPage?, etag: String?) {
        let endpoint = Endpoint.listConversations(limit: limit, offset: offset)
        let answer = try await sendAuthorized(endpoint.request) { request throws(APIFailure) in
            try await self.performRequest(request, ifNoneMatch: etag)
        }
        if answer.response.status == 304 { return (nil, etag) }
        return (
            try await decodeResponse(of: endpoint, from: answer), answer.response.headers[HeaderName.etag]
        )
    }

    /// Returns the events after `cursor`. The server waits up to `seconds` for the first event.
    func fetchEvents(after cursor: Event.ID?, waitSeconds seconds: Int) async throws(APIFailure) -> EventPage
    {
        let endpoint = Endpoint.events(after: cursor, maxWaitSeconds: seconds)
        let answer = try await sendAuthorized(endpoint.request) { request throws(APIFailure) in
            try await self.performRequest(request)
        }
        return try await decodeResponse(of: endpoint, from: answer)
    }

    /// Opens the event stream and checks the status and the content type. Throws `StreamTimeout` or
    /// `APIFailure`.
    func openStream(after cursor: Event.ID?) async throws -> HTTPStream {
        try await authorizer.ensureCredentials(using: self)
        let request = APIRequest.eventStream(after: cursor)
        var generation = authorizer.generation
        var (stream, secrets) = try await openAuthorizedStream(request)
        if stream.status == 401,
            try await authorizer.recoverFromUnauthorized(
                credentialGeneration: generation, isFromAPI: false, using: self)
        {
            generation = authorizer.generation
            (stream, secrets) = try await openAuthorizedStream(request)
            if stream.status == 401, hasBearerChallenge(in: stream.headers) {
                authorizer.recordCredentialResult(.refusedAfterRetry, ofGeneration: generation)
            }
        }
        if stream.status == 403, !hasBearerChallenge(in: stream.headers),
            try await authorizer.recoverFromForbidden(credentialGeneration: generation)
        {
            generation = authorizer.generation
            (stream, secrets) = try await openAuthorizedStream(request)
        }
        let unexpectedStatus = request.unexpectedStatusReason(forStatus: stream.status, isConditional: false)
        try checkStatus(
            stream.status, headers: stream.headers, body: [], secrets: secrets,
            unexpectedStatus: unexpectedStatus)
        authorizer.recordCredentialResult(.accepted, ofGeneration: generation)
        guard EventStreamParser.acceptsContentType(stream.headers[HeaderName.contentType]) else {
            throw APIFailure.absent(Reason(.notAnEventStream))
        }
        return stream
    }

    /// Closes the connection pool, so that new requests use new connections: the existing connections may be
    /// dead although no error has been reported yet.
    func retireConnections() async { await httpClient.retireConnections(using: account.tls) }

    /// `generation`: identifies the credentials in the request. `secrets`: the secrets in the request, which
    /// are redacted from messages. `unexpectedStatus`: the reason why the status is invalid for the request;
    /// `nil` if it is valid.
    private typealias Exchange = (
        response: HTTPResponse, generation: Int, secrets: Redaction, unexpectedStatus: Reason?
    )

    private func sendAuthorized(
        _ request: APIRequest, _ attempt: (APIRequest) async throws(APIFailure) -> Exchange
    ) async throws(APIFailure) -> Exchange {
        try await authorizer.ensureCredentials(using: self)
        let keyID = attestor?.record.keyID
        var answer = try await attempt(request)
        var isRenewed = false
        if answer.response.status == 401,
            try await authorizer.recoverFromUnauthorized(
                credentialGeneration: answer.generation, isFromAPI: isFromAPI(answer), using: self)
        {
            answer = try await attempt(request)
            isRenewed = authorizer.isRenewedByAPI
            if answer.response.status == 401, isFromAPI(answer) {
                authorizer.recordCredentialResult(.refusedAfterRetry, ofGeneration: answer.generation)
            }
        }
        if answer.response.status == 403, !isFromAPI(answer),
            try await authorizer.recoverFromForbidden(credentialGeneration: answer.generation)
        {
            answer = try await attempt(request)
        }
        if let attestor, let code = credentialErrorCode(for: request, response: answer.response),
            try await attestor.recover(from: code, forKey: keyID, using: self)
        {
            answer = try await attempt(request)
        }
        // A server that has just issued a token is the API, even if the body does not have the API's format.
        try checkStatus(of: answer, isFromAPI: isRenewed)
        authorizer.recordCredentialResult(.accepted, ofGeneration: answer.generation)
        return answer
    }

    /// Returns the API's error code if the request requires an assertion and the response is a 403; otherwise
    /// `nil`.
    private func credentialErrorCode(for request: APIRequest, response: HTTPResponse) -> ErrorCode? {
        guard response.status == 403, request.needsAssertion else { return nil }
        return APIError(status: 403, body: response.body, hiding: Redaction()).code
    }

    /// Returns whether the response comes from the API: it has the API's error format or a Bearer challenge.
    /// Otherwise, an intermediary may have sent the response.
    private func isFromAPI(_ exchange: Exchange) -> Bool {
        APIError(status: exchange.response.status, body: exchange.response.body, hiding: exchange.secrets)
            .isFromAPI || hasBearerChallenge(in: exchange.response.headers)
    }

    /// Returns whether the response has a Bearer challenge (RFC 6750), which means that the server accepts
    /// tokens.
    private func hasBearerChallenge(in headers: HTTPHeaders) -> Bool {
        parseBearerChallenge(in: headers) != nil
    }

    private func parseBearerChallenge(in headers: HTTPHeaders) -> BearerChallenge? {
        headers.values(of: HeaderName.authenticate).lazy.compactMap(BearerChallenge.init(header:)).first
    }

    private func checkStatus(of exchange: Exchange, isFromAPI: Bool = false) throws(APIFailure) {
        let response = exchange.response
        try checkStatus(
            response.status, headers: response.headers, body: response.body, secrets: exchange.secrets,
            unexpectedStatus: exchange.unexpectedStatus, isFromAPI: isFromAPI)
    }

    /// Throws the failure for an error status. `isFromAPI`: whether the API itself sent the response, not a
    /// proxy.
    private func checkStatus(
        _ status: Int, headers: HTTPHeaders, body: [UInt8], secrets: Redaction,
        unexpectedStatus: Reason?,
        isFromAPI: Bool = false
    ) throws(APIFailure) {
        if let unexpectedStatus { throw .retry(unexpectedStatus, ambiguous: true) }
        let date = headers[HeaderName.date].flatMap { Timestamp(httpDate: $0) }
        guard status >= 300, status != 304 else {
            // Ignore the date of an error response, because a proxy may have sent the response.
            if let date { clocks.recordTime(date, of: account.id) }
            return
        }
        let error = APIError(
            status: status, body: body, retryAfter: headers[HeaderName.retryAfter], hiding: secrets)
        let challenge = parseBearerChallenge(in: headers)
        let lacksScope = challenge?.error == BearerChallenge.insufficientScope
        if status == 403, lacksScope || error.code == .insufficientScope {
            throw .insufficientScope(error.text, challenge?.scope)
        }
        throw APIFailure(
            error, at: date ?? runtime.now(), isFromAPI: isFromAPI || challenge != nil)
    }

    private func performRequest(
        _ request: APIRequest, ifNoneMatch etag: String? = nil
    ) async throws(APIFailure) -> Exchange {
        let assertion = await attestor?.makeAssertion(about: request)
        // Read the generation after the assertion was created: another task may have renewed the token while
        // this task waited for the assertion.
        let generation = authorizer.generation
        let headers = headers(for: request, ifNoneMatch: etag, assertion: assertion)
        let secrets = request.redaction(includingSecretsIn: headers)
        do {
            let response = try await httpClient.send(
                makeHTTPRequest(for: request, headers: headers), policy: account.tls)
            let unexpectedStatus = request.unexpectedStatusReason(
                forStatus: response.status, isConditional: etag != nil)
            return (response, generation, secrets, unexpectedStatus)
        } catch { throw APIFailure(error, hiding: secrets) }
    }

    private func openAuthorizedStream(_ request: APIRequest) async throws -> (HTTPStream, Redaction) {
        let headers = headers(for: request)
        let secrets = request.redaction(includingSecretsIn: headers)
        do {
            return (
                try await httpClient.openStream(
                    for: makeHTTPRequest(for: request, headers: headers), policy: account.tls), secrets
            )
        } catch  where error.code == .timedOut {
            throw StreamTimeout(
                reason: Reason(
                    .streamHeldBack, ["seconds": String(request.timeouts.responseHeader.components.seconds)]))
        } catch { throw APIFailure(error, hiding: secrets) }
    }

    private func makeHTTPRequest(for request: APIRequest, headers: [APIRequest.Header]) -> HTTPRequest {
        HTTPRequest(request, at: account.address, headers: headers, limit: Self.responseLimit)
    }

    private func headers(
        for request: APIRequest, ifNoneMatch etag: String? = nil, assertion: String? = nil
    ) -> [APIRequest.Header] {
        let others = [(HeaderName.ifNoneMatch, etag), (HeaderName.appAssertion, assertion)]
        return authorizer.headers(for: request)
            + others.compactMap { name, value in value.map { .init(name: name, value: $0) } }
    }

    private func decodeResponse<Answer>(
        of endpoint: Endpoint<Answer>, from exchange: Exchange
    ) async throws(APIFailure) -> Answer {
        defer { unreadable.reportUnreadableParts(hiding: exchange.secrets) }
        let body = exchange.response.body
        do {
            return body.count > LargeResponseDecoder.smallBody
                ? try await LargeResponseDecoder.shared.decodeResponse(
                    of: endpoint, from: body, recordingUnreadablePartsIn: unreadable.parts)
                : try endpoint.decodeResponse(from: body, recordingUnreadablePartsIn: unreadable.parts)
        } catch {
            let message = Reason(describing: error).mapTexts(exchange.secrets.redactingSecrets)
            throw .retry(Reason(.apiResponseInvalid, reasons: ["message": message]), ambiguous: true)
        }
    }
}
