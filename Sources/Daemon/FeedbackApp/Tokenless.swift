import Config
import ControlAPI
import CutieAPI
import HTTP

/// Who calls an API without a token: a device as the link SDK has it, or one that does not say which it is.
struct Tokenless {
    /// Such answers are a few fields.
    private static let responseLimit = 1 << 20

    private let account: Account
    /// nil: the device is not named.
    private let device: DeviceID?
    private let transport: Transport

    init(_ account: Account, device: DeviceID?, transport: Transport) {
        (self.account, self.device, self.transport) = (account, device, transport)
    }

    /// The answer as it is, whatever its status.
    func answer(to request: APIRequest) async throws(HTTPError) -> HTTPResponse {
        let named = (request.headers + headers).map { ($0.name, $0.value) }
        var http = HTTPRequest(
            request.method.rawValue, account.address.description + request.target,
            headers: HTTPHeaders(named), body: request.body)
        http.timeout = request.patience.answer
        http.transferTimeout = request.patience.whole ?? http.transferTimeout
        http.responseLimit = Self.responseLimit
        return try await transport.send(http, policy: account.tls)
    }

    private var headers: [APIRequest.Header] {
        var headers = [
            APIRequest.Header(name: HeaderName.appID, value: account.credential.appID),
            .init(name: HeaderName.sdkVersion, value: Product.version),
        ]
        if let device { headers.append(.init(name: HeaderName.deviceID, value: device.rawValue)) }
        if let key = account.configuration.apiKey {
            headers.append(.init(name: HeaderName.apiKey, value: key))
        }
        return headers
    }
}
