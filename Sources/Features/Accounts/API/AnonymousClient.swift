import Config
package import CutieAPI
package import HTTP

/// A client that calls an API without a token: with the device ID, as the link SDK does, or without one.
package struct AnonymousClient {
    /// These answers have a few fields only.
    private static let responseLimit = 1 << 20

    private let account: Account
    /// `nil` if requests do not name the device.
    private let device: DeviceID?
    private let httpClient: HTTPClient

    package init(_ account: Account, device: DeviceID?, httpClient: HTTPClient) {
        (self.account, self.device, self.httpClient) = (account, device, httpClient)
    }

    /// Returns the answer regardless of its status.
    package func answer(to request: APIRequest) async throws(HTTPError) -> HTTPResponse {
        let http = HTTPRequest(request, at: account.address, headers: headers, limit: Self.responseLimit)
        return try await httpClient.send(http, policy: account.tls)
    }

    /// Returns the secrets of a request, which must not appear in messages about it.
    func secrets(of request: APIRequest) -> Redaction { request.redaction(with: headers) }

    private var headers: [APIRequest.Header] {
        account.headers + (device.map { [.init(name: HeaderName.deviceID, value: $0.rawValue)] } ?? [])
    }
}

extension HTTPRequest {
    /// Creates a call at `address` with the given headers and those of the request. An answer of more than
    /// `limit` bytes fails.
    init(_ request: APIRequest, at address: APIAddress, headers: [APIRequest.Header], limit: Int) {
        self.init(
            request.method.rawValue, address.url(of: request),
            headers: HTTPHeaders((request.headers + headers).map { ($0.name, $0.value) }), body: request.body)
        timeout = request.timeouts.answer
        transferTimeout = request.timeouts.whole ?? transferTimeout
        responseLimit = limit
    }
}
