import Config
package import CutieAPI
package import HTTP

/// Who calls an API without a token: a device as the link SDK has it, or one that does not say which it is.
package struct AnonymousClient {
    /// Such answers are a few fields.
    private static let responseLimit = 1 << 20

    private let account: Account
    /// nil: the device is not named.
    private let device: DeviceID?
    private let transport: Transport

    package init(_ account: Account, device: DeviceID?, transport: Transport) {
        (self.account, self.device, self.transport) = (account, device, transport)
    }

    /// The answer as it is, whatever its status.
    package func answer(to request: APIRequest) async throws(HTTPError) -> HTTPResponse {
        let http = HTTPRequest(request, at: account.address, headers: headers, limit: Self.responseLimit)
        return try await transport.send(http, policy: account.tls)
    }

    /// What of a request must not be in what is said about it.
    func secrets(of request: APIRequest) -> Redaction { request.redaction(with: headers) }

    private var headers: [APIRequest.Header] {
        account.headers + (device.map { [.init(name: HeaderName.deviceID, value: $0.rawValue)] } ?? [])
    }
}

extension HTTPRequest {
    /// A call at `address` with the headers of its caller besides its own. An answer of more than `limit` bytes
    /// fails.
    init(_ request: APIRequest, at address: APIAddress, headers: [APIRequest.Header], limit: Int) {
        self.init(
            request.method.rawValue, address.url(of: request),
            headers: HTTPHeaders((request.headers + headers).map { ($0.name, $0.value) }), body: request.body)
        timeout = request.timeouts.answer
        transferTimeout = request.timeouts.whole ?? transferTimeout
        responseLimit = limit
    }
}
