import Config
import CutieAPI
import HTTP
import Platform

/// The responses of an account's API to requests that contain no device token and change nothing.
struct APIFacts: Sendable {
    enum Outcome: Sendable {
        /// The status of the response, and how many seconds the server's clock is ahead; `nil` if unknown.
        case answered(status: Int, secondsAhead: Int64?)
        case failed(HTTPError)
        /// No request was sent, because no network interface has a usable address.
        case noNetwork
    }

    enum Availability: Hashable, Sendable {
        case offered, absent, unknown
    }

    var account: String
    var address: APIAddress
    /// The configured transport; `nil` for automatic selection.
    var transport: TransportKind?
    var ownPins = 0
    var hasBuiltInPins = false
    /// The time of the check in Unix milliseconds.
    var now: Int64
    var outcome: Outcome
    var stream = Availability.unknown
    var longPoll = Availability.unknown
}

extension APIFacts {
    /// Queries the APIs of all accounts concurrently.
    static func probe(_ accounts: [AccountConfiguration]) async -> [APIFacts] {
        let httpClient = HTTPClient(userAgent: "\(Product.name)/\(Product.version)")
        return await withTaskGroup(of: (Int, APIFacts).self) { group in
            for (index, account) in accounts.enumerated() {
                group.addTask { (index, await APIFacts(asking: account, by: httpClient)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private init(asking account: AccountConfiguration, by httpClient: HTTPClient) async {
        let api = APIProbe(account: account, httpClient: httpClient)
        let outcome = await api.probeConnection()
        self.init(
            account: account.name, address: account.apiURL, transport: account.transport,
            ownPins: account.tls.pins.count, hasBuiltInPins: account.hasBuiltInPins,
            now: SystemClock.milliseconds, outcome: outcome)
        guard case .answered = outcome else { return }
        async let stream = api.probeAvailability(bySending: .eventStream(after: nil))
        async let longPoll = api.probeAvailability(
            bySending: Endpoint.events(after: nil, maxWaitSeconds: 0).request)
        (self.stream, self.longPoll) = await (stream, longPoll)
    }
}

/// Sends requests without a device token, so that a check does not change data on the server.
private struct APIProbe {
    let account: AccountConfiguration
    let httpClient: HTTPClient

    /// The timeout of each of the two consecutive requests.
    private static let timeout = Duration.milliseconds(4500)

    func probeConnection() async -> APIFacts.Outcome {
        guard account.apiURL.isLoopback || NetworkChanges.hasUsableInterface() else { return .noNetwork }
        let started = SystemClock.milliseconds
        do {
            let answer = try await send(Endpoint.listConversations(limit: 1, offset: 0).request)
            return .answered(
                status: answer.status,
                secondsAhead: APIFacts.clockOffset(
                    serverDate: answer.headers["Date"], sentAt: started, receivedAt: SystemClock.milliseconds
                ))
        } catch {
            return .failed(error)
        }
    }

    func probeAvailability(bySending request: APIRequest) async -> APIFacts.Availability {
        guard let status = try? await send(request).status else { return .unknown }
        return switch status {
        case 200..<300, 400, 401, 403: .offered
        case 404, 405, 406, 501: .absent
        default: .unknown
        }
    }

    /// Sends a request and waits only for the response headers, because a stream does not end.
    private func send(_ request: APIRequest) async throws(HTTPError) -> HTTPStream {
        let own = account.kind == .device ? [(HeaderName.appID, account.appID)] : []
        let named = request.headers.map { ($0.name, $0.value) } + own
        var http = HTTPRequest(
            request.method.rawValue, account.apiURL.url(of: request), headers: HTTPHeaders(named))
        http.timeout = Self.timeout
        http.transferTimeout = Self.timeout
        return try await httpClient.openStream(for: http, policy: TLSPolicy(of: account))
    }
}

extension APIFacts {
    /// Returns the checks of all accounts, and a check of the clock.
    static func makeChecks(for apis: [APIFacts]) -> [Check] {
        let isOnly = apis.count == 1
        return apis.flatMap { api in
            [api.reachability, api.security, api.pins, api.transports].compactMap(\.self).map { check in
                Check(
                    isOnly ? check.name : "\(check.name) (\(api.account))", check.verdict, check.finding,
                    advice: check.advice)
            }
        } + (apis.isEmpty ? [] : [makeClockCheck(for: apis)])
    }

    private var reachability: Check {
        let name = "api"
        switch outcome {
        case .noNetwork:
            return Check(
                name, .failure, "no network connection; cannot reach \(address)",
                advice: "connect to a network")
        // A TLS error occurs only after the server was reached. The check of TLS reports the error.
        case .failed(let error) where error.isAboutTLS: return Check(name, .ok, "\(address) is reachable")
        case .failed(let error) where error.code == .refusedRedirect:
            return Check(name, .failure, "\(error)", advice: "correct api_url (cutied setup)")
        case .failed(let error): return Check(name, .failure, error.reason)
        case .answered(let status, _): return makeCheck(named: name, httpStatus: status)
        }
    }

    private func makeCheck(named name: String, httpStatus: Int) -> Check {
        switch httpStatus {
        case 200..<300, 400, 401, 403: Check(name, .ok, "\(address) answers")
        case 404, 405, 410, 501:
            Check(
                name, .failure, "\(address) answers \(httpStatus): no Cuti-E API at this address",
                advice: "correct api_url (cutied setup)")
        case 429:
            Check(name, .warning, "\(address) answers 429: too many requests", advice: "wait a few minutes")
        case 500...:
            Check(
                name, .failure, "\(address) answers \(httpStatus): server error",
                advice: "wait; the daemon retries automatically")
        default:
            Check(
                name, .warning, "\(address) answers \(httpStatus), which is unexpected",
                advice: "check api_url")
        }
    }

    private var transports: Check? {
        let name = "transports"
        guard reachability.verdict == .ok, case .answered = outcome else {
            return Check(name, .skipped, "unknown (the API was not asked)")
        }
        let offers: [(transport: TransportKind, state: Availability)] = [
            (.stream, stream), (.longPoll, longPoll), (.poll, .offered),
        ]
        let there = offers.filter { $0.state == .offered }.map(\.transport.name)
        if let transport, offers.contains(where: { $0 == (transport, .absent) }) {
            return Check(
                name, .failure,
                "transport \(transport.name) is configured, but the API does not offer it",
                advice: "set transport: auto")
        }
        return Check(name, .ok, "the API offers " + there.joined(separator: ", "))
    }
}
