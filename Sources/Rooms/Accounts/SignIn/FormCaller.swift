package import CutieAPI
package import HTTP
package import Log
package import OAuth

/// Sends forms to authorization servers, and tells what came of each.
package struct FormCaller {
    private let transport: Transport
    private let surroundings: Surroundings
    private let policy: (EndpointURL) -> TLSPolicy

    package init(
        transport: Transport, surroundings: Surroundings, policy: @escaping (EndpointURL) -> TLSPolicy
    ) {
        (self.transport, self.surroundings, self.policy) = (transport, surroundings, policy)
    }

    package enum Reply {
        case body([UInt8], at: Timestamp)
        case refused(OAuthError)
        /// There is no such endpoint any more.
        case moved(String)
        /// A refusal that is none of an authorization server, or does not say of what.
        case wordless(String)
        /// Nobody answered, or it cannot now.
        case unanswered(String, floor: Duration?)
    }

    /// Throws only `cancelled`.
    package func send(_ form: FormRequest) async throws(APIFailure) -> Reply {
        let response: HTTPResponse
        do { response = try await transport.send(request(form), policy: policy(form.url)) } catch {
            if error.code == .cancelled { throw .cancelled }
            return .unanswered(form.secrets.hide(in: error.sentence), floor: nil)
        }
        let now = surroundings.now()
        let date = response.headers[HeaderName.date].flatMap { Timestamp(httpDate: $0) } ?? now
        switch response.status {
        case 200..<300: return .body(response.body, at: date)
        case 404: return .moved("\(form.url.origin) answered 404")
        case 400..<500 where response.status != 429:
            if let error = OAuthError(json: response.body, hiding: form.secrets) { return .refused(error) }
            return .wordless("\(form.url.origin) answered \(response.status) without a word why")
        default:
            let floor = response.headers[HeaderName.retryAfter].flatMap(RetryAfter.init(header:))
            return .unanswered(
                "\(form.url.origin) answered \(response.status)", floor: floor?.delay(now: now))
        }
    }

    private func request(_ form: FormRequest) -> HTTPRequest {
        var headers = HTTPHeaders([
            (HeaderName.accept, "application/json"),
            (HeaderName.contentType, "application/x-www-form-urlencoded"),
        ])
        if let authorization = form.authorization { headers.append(HeaderName.authorization, authorization) }
        var request = HTTPRequest("POST", form.url.description, headers: headers, body: form.body)
        request.responseLimit = TokenAnswer.sizeLimit
        return request
    }
}
