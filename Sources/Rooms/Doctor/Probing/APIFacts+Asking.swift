import Config
import ControlAPI
import CutieAPI
import HTTP
import Platform

extension APIFacts {
    /// Asks for all accounts at once.
    static func asked(_ accounts: [AccountConfiguration]) async -> [APIFacts] {
        let transport = Transport(userAgent: "\(Product.name)/\(Product.version)")
        return await withTaskGroup(of: (Int, APIFacts).self) { group in
            for (index, account) in accounts.enumerated() {
                group.addTask { (index, await APIFacts(asking: account, by: transport)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private init(asking account: AccountConfiguration, by transport: Transport) async {
        let api = Caller(account: account, transport: transport)
        let outcome = await api.outcome()
        self.init(
            account: account.name, address: account.apiURL, transport: account.transport,
            ownPins: account.tls.pins.count, hasBuiltInPins: account.hasBuiltInPins,
            now: SystemClock.milliseconds, outcome: outcome)
        guard case .answered = outcome else { return }
        async let stream = api.offer(.eventStream(after: nil))
        async let longPoll = api.offer(Endpoint.events(after: nil, wait: 0).request)
        (self.stream, self.longPoll) = await (stream, longPoll)
    }
}

/// Calls without a device, so that no server registers, counts or marks anything.
private struct Caller {
    let account: AccountConfiguration
    let transport: Transport

    /// Of each of the two calls that follow one another.
    private static let timeout = Duration.milliseconds(4500)

    func outcome() async -> APIFacts.Outcome {
        guard account.apiURL.isLoopback || NetworkChanges.hasRoute() else { return .noNetwork }
        let started = SystemClock.milliseconds
        do {
            let answer = try await send(Endpoint.listConversations(limit: 1, offset: 0).request)
            let middle = started + (SystemClock.milliseconds - started) / 2
            return .answered(
                status: answer.status,
                secondsAhead: answer.headers["Date"].flatMap(Self.time).map { ($0 - middle) / 1000 })
        } catch {
            return .failed(error)
        }
    }

    func offer(_ request: APIRequest) async -> APIFacts.Offer {
        guard let status = try? await send(request).status else { return .unknown }
        return switch status {
        case 200..<300, 400, 401, 403: .offered
        case 404, 405, 406, 501: .absent
        default: .unknown
        }
    }

    /// The header alone is waited for: a stream has no end.
    private func send(_ request: APIRequest) async throws(HTTPError) -> HTTPStream {
        let named = request.headers.map { ($0.name, $0.value) } + [(HeaderName.appID, account.appID)]
        var http = HTTPRequest(
            request.method.rawValue, account.apiURL.url(of: request), headers: HTTPHeaders(named))
        http.timeout = Self.timeout
        http.transferTimeout = Self.timeout
        return try await transport.open(http, policy: TLSPolicy(of: account))
    }

    /// Unix milliseconds of an HTTP date.
    private static func time(_ text: String) -> Int64? {
        if case .at(let time) = RetryAfter(header: text) { time.milliseconds } else { nil }
    }
}
