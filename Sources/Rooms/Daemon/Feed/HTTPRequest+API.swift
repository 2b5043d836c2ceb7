import CutieAPI
import HTTP

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
