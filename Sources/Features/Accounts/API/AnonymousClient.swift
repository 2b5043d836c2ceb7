import Config
package import CutieAPI
package import HTTP
import Platform

/// A client that calls an API without a token. Requests contain the device ID or no ID, as in the link SDK.
package struct AnonymousClient {
    /// The maximum size of a response in bytes. These responses have only a few fields.
    private static let responseLimit = 1 << 20

    private let address: APIAddress
    private let tls: TLSPolicy
    private let headers: [APIRequest.Header]
    private let httpClient: HTTPClient

    /// Creates a client for the API of an account. `device`: `nil` if requests must not contain a device ID.
    package init(_ account: Account, device: DeviceID?, httpClient: HTTPClient) {
        self.init(account.configuration, headers: account.headers, device: device, httpClient: httpClient)
    }

    /// Creates a client that needs no account. Requests contain no App ID.
    init(_ configuration: AccountConfiguration, device: DeviceID, httpClient: HTTPClient) {
        let version = APIRequest.Header(name: HeaderName.sdkVersion, value: Product.version)
        self.init(configuration, headers: [version], device: device, httpClient: httpClient)
    }

    private init(
        _ configuration: AccountConfiguration, headers: [APIRequest.Header], device: DeviceID?,
        httpClient: HTTPClient
    ) {
        (address, tls) = (configuration.apiURL, TLSPolicy(of: configuration))
        self.headers =
            headers + (device.map { [.init(name: HeaderName.deviceID, value: $0.rawValue)] } ?? [])
        self.httpClient = httpClient
    }

    /// Sends a request and returns the response, even if its status is an error.
    package func send(_ request: APIRequest) async throws(HTTPError) -> HTTPResponse {
        let http = HTTPRequest(request, at: address, headers: headers, limit: Self.responseLimit)
        return try await httpClient.send(http, policy: tls)
    }

    /// Returns the secrets of a request, which are redacted from messages.
    func secrets(of request: APIRequest) -> Redaction { request.redaction(includingSecretsIn: headers) }
}

extension HTTPRequest {
    /// Creates an HTTP request to `address` with the given headers and those of the API request. A response
    /// of more than `limit` bytes is an error.
    init(_ request: APIRequest, at address: APIAddress, headers: [APIRequest.Header], limit: Int) {
        self.init(
            request.method.rawValue, address.url(of: request),
            headers: HTTPHeaders((request.headers + headers).map { ($0.name, $0.value) }), body: request.body)
        timeout = request.timeouts.responseHeader
        transferTimeout = request.timeouts.transfer ?? transferTimeout
        responseLimit = limit
    }
}
