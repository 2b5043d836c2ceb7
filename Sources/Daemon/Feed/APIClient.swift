import ControlAPI
import CutieAPI
import HTTP

/// Speaks to the API as one account. What it throws says what to do about it.
final class APIClient {
    /// A thread with all its messages; what is larger is an error, not a lack of memory.
    private static let responseLimit = 64 << 20

    let account: Account
    /// In whose name.
    let profile: Profile
    private let transport: Transport
    private let authorizer: any Authorizer
    private let attestor: Attestor
    private let surroundings: Surroundings

    init(
        account: Account, profile: Profile, transport: Transport, authorizer: any Authorizer,
        attestor: Attestor, surroundings: Surroundings
    ) {
        self.attestor = attestor
        (self.account, self.profile, self.transport) = (account, profile, transport)
        (self.authorizer, self.surroundings) = (authorizer, surroundings)
    }

    func send<Answer>(_ endpoint: Endpoint<Answer>) async throws(APIFailure) -> Answer {
        let response = try await authorized(endpoint.request) { request throws(APIFailure) in
            try await self.exchange(request)
        }
        return try decode(endpoint, response.body)
    }

    /// What the API makes of a device that wants to register.
    enum Registered {
        case token(DeviceToken)
        /// It registers none.
        case notOffered(String)
        /// It does not register this one now. `floor`: its Retry-After.
        case refused(String, floor: Duration?)
    }

    /// Registration itself: a 401 here means the app id, not the token. Throws where no answer came.
    func register(_ registration: Registration) async throws(APIFailure) -> Registered {
        let endpoint = Endpoint.register(registration)
        let response = try await exchange(endpoint.request).response
        if response.status == 401, APIError(status: 401, body: response.body).isOfTheAPI {
            throw .forbidden(
                "the API refuses App ID \(account.credential.appID); see app_id in the configuration")
        }
        do throws(APIFailure) {
            try check(response.status, response.headers, response.body)
            return .token(try decode(endpoint, response.body).deviceToken)
        } catch {
            return switch error {
            case .absent(let reason): .notOffered(reason)
            case .retry(let reason, let floor, _): .refused(reason, floor: floor)
            default: .refused(error.sentence, floor: nil)
            }
        }
    }

    /// A page of conversations; nil where it has not changed since `etag`.
    func list(
        limit: Int, offset: Int, etag: String?
    ) async throws(APIFailure) -> (page: ConversationPage?, etag: String?) {
        let endpoint = Endpoint.listConversations(limit: limit, offset: offset)
        let response = try await authorized(endpoint.request) { request throws(APIFailure) in
            try await self.exchange(request, ifNoneMatch: etag)
        }
        if response.status == 304 { return (nil, etag) }
        return (try decode(endpoint, response.body), response.headers[HeaderName.etag])
    }

    /// What happened after `place`, for which the server waits up to so many seconds.
    func events(after place: Event.ID?, wait seconds: Int) async throws(APIFailure) -> EventPage {
        let endpoint = Endpoint.events(after: place, wait: seconds)
        let response = try await authorized(endpoint.request) { request throws(APIFailure) in
            try await self.exchange(request)
        }
        return try decode(endpoint, response.body)
    }

    /// Opens the event stream; its headers have come and are an event stream's. Throws `HeldBack` or
    /// `APIFailure`.
    func openStream(after cursor: Event.ID?) async throws -> HTTPStream {
        try await authorizer.register(by: self)
        let request = APIRequest.eventStream(after: cursor)
        let generation = authorizer.generation
        var stream = try await open(request)
        if stream.status == 401,
            try await authorizer.recover(from401: generation, saidByAPI: false, by: self)
        {
            stream = try await open(request)
        }
        try check(stream.status, stream.headers)
        guard stream.headers[HeaderName.contentType]?.lowercased().hasPrefix("text/event-stream") == true
        else {
            throw APIFailure.absent("what the server answers is no event stream")
        }
        return stream
    }

    /// New requests use new connections: the old ones may be dead without knowing it.
    func dropConnections() async { await transport.retire(account.tls) }

    /// With what the headers of the request were made from.
    private typealias Exchange = (response: HTTPResponse, generation: Int)

    private func authorized(
        _ request: APIRequest, _ exchange: (APIRequest) async throws(APIFailure) -> Exchange
    ) async throws(APIFailure) -> HTTPResponse {
        try await authorizer.register(by: self)
        let keyID = attestor.record.keyID
        let (first, generation) = try await exchange(request)
        var response = first
        var isRenewed = false
        if response.status == 401,
            try await authorizer.recover(
                from401: generation, saidByAPI: APIError(status: 401, body: response.body).isOfTheAPI,
                by: self)
        {
            response = try await exchange(request).response
            isRenewed = true
        }
        if let code = refusal(of: request, response),
            try await attestor.recover(from: code, of: keyID, by: self)
        {
            response = try await exchange(request).response
        }
        // Who has just made a token is the API, with or without a word.
        try check(response.status, response.headers, response.body, isOfTheAPI: isRenewed)
        return response
    }

    /// Why a request that an attested device signs was refused for that.
    private func refusal(of request: APIRequest, _ response: HTTPResponse) -> ErrorCode? {
        guard response.status == 403, request.needsAssertion else { return nil }
        return APIError(status: 403, body: response.body).code
    }

    /// Throws what a status of 300 or more means; 304 is an answer. `isOfTheAPI`: and of nobody on the way.
    private func check(
        _ status: Int, _ headers: HTTPHeaders, _ body: [UInt8] = [], isOfTheAPI: Bool = false
    ) throws(APIFailure) {
        guard status >= 300, status != 304 else { return }
        let error = APIError(status: status, body: body, retryAfter: headers[HeaderName.retryAfter])
        throw APIFailure(error, at: surroundings.now(), isOfTheAPI: isOfTheAPI)
    }

    private func exchange(
        _ request: APIRequest, ifNoneMatch etag: String? = nil
    ) async throws(APIFailure) -> Exchange {
        let assertion = await attestor.assertion(about: request)
        // Not before: the token may be renewed while the assertion is made.
        let generation = authorizer.generation
        do {
            let http = http(request, ifNoneMatch: etag, assertion: assertion)
            return (try await transport.send(http, policy: account.tls), generation)
        } catch { throw APIFailure(error) }
    }

    private func open(_ request: APIRequest) async throws -> HTTPStream {
        do {
            return try await transport.open(http(request), policy: account.tls)
        } catch  where error.code == .timedOut {
            throw HeldBack(
                sentence: "no answer came within \(request.timeouts.answer.components.seconds) s: "
                    + "something on the way may hold it back")
        } catch { throw APIFailure(error) }
    }

    private func http(
        _ request: APIRequest, ifNoneMatch etag: String? = nil, assertion: String? = nil
    ) -> HTTPRequest {
        var http = HTTPRequest(
            request, at: account.address, headers: authorizer.headers(for: request), limit: Self.responseLimit
        )
        if let etag { http.headers.append(HeaderName.ifNoneMatch, etag) }
        if let assertion { http.headers.append(HeaderName.appAssertion, assertion) }
        return http
    }

    private func decode<Answer>(
        _ endpoint: Endpoint<Answer>, _ body: [UInt8]
    ) throws(APIFailure) -> Answer {
        do {
            return try endpoint.answer(from: body)
        } catch {
            throw .retry("the API answered something unreadable: \(error)", ambiguous: true)
        }
    }
}
