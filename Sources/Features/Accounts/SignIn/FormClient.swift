package import CutieAPI
package import EventLog
package import HTTP
package import OAuth
package import Reasons

/// Sends forms to authorization servers and classifies the responses.
package struct FormClient {
    private let peer: ServerRole
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment
    private let policy: (EndpointURL) -> TLSPolicy

    package init(
        to peer: ServerRole, httpClient: HTTPClient, runtime: RuntimeEnvironment,
        policy: @escaping (EndpointURL) -> TLSPolicy
    ) {
        (self.peer, self.httpClient, self.runtime) = (peer, httpClient, runtime)
        self.policy = policy
    }

    package enum Reply {
        /// A successful response. The body is JSON or was converted to JSON, but is not validated.
        case body([UInt8], at: Timestamp)
        case refused(OAuthRefusal)
        /// A 404 without an OAuth error. The address of the endpoint has probably changed.
        case moved(Reason)
        /// A refusal without an OAuth error. The reason is unknown, or another server sent the response.
        case withoutErrorCode(Reason)
        /// No response arrived, or the server is temporarily unavailable. `floor`: the minimum delay
        /// (Retry-After).
        case unanswered(Reason, floor: Duration?)
    }

    /// Sends a form. Throws only `cancelled`.
    package func send(_ form: FormRequest) async throws(APIFailure) -> Reply {
        let response: HTTPResponse
        do { response = try await httpClient.send(makeRequest(for: form), policy: policy(form.url)) } catch {
            if error.code == .cancelled { throw .cancelled }
            return .unanswered(error.reason(from: peer, hiding: form.secrets), floor: nil)
        }
        return parseReply(response, to: form)
    }

    private func parseReply(_ response: HTTPResponse, to form: FormRequest) -> Reply {
        let now = runtime.now()
        let floor = response.headers[HeaderName.retryAfter].flatMap(RetryAfter.init(header:))?.retryDelay(
            now: now)
        let (status, body) = (response.status, jsonBody(of: response))
        // Ignore the status: GitHub sends errors with 200, and Google sends 428 while the user has not
        // decided.
        if let error = OAuthError(json: body, hiding: form.secrets), status != 404 || error.isStandard {
            return .refused(OAuthRefusal(error, status: status, floor: floor))
        }
        let arguments = ["address": form.url.origin, "status": String(status)]
        let answered = Reason(peer == .service ? .serviceAnsweredAt : .issuerAnsweredAt, arguments)
        switch status {
        case 200..<300:
            let date = response.headers[HeaderName.date].flatMap { Timestamp(httpDate: $0) }
            return .body(body, at: date ?? now)
        case 404: return .moved(answered)
        case 400..<500 where status != 429:
            return .withoutErrorCode(
                Reason(peer == .service ? .serviceGaveNoReason : .issuerGaveNoReason, arguments))
        default: return .unanswered(answered, floor: floor)
        }
    }

    private func jsonBody(of response: HTTPResponse) -> [UInt8] {
        let type = response.headers[HeaderName.contentType]?.lowercased() ?? ""
        guard type.hasPrefix(Self.formType) else { return response.body }
        return Form.jsonObject(fromForm: response.body) ?? response.body
    }

    private static let formType = "application/x-www-form-urlencoded"

    private func makeRequest(for form: FormRequest) -> HTTPRequest {
        var headers = HTTPHeaders([
            (HeaderName.accept, "application/json"), (HeaderName.contentType, Self.formType),
        ])
        if let authorization = form.authorization {
            headers.append(name: HeaderName.authorization, value: authorization)
        }
        var request = HTTPRequest("POST", form.url.description, headers: headers, body: form.body)
        request.responseLimit = TokenResponse.sizeLimit
        return request
    }
}

/// An error response of an authorization server.
package struct OAuthRefusal {
    package let error: OAuthError
    /// Whether the server is overloaded or broken, so that the same request may succeed later.
    package let isTemporary: Bool
    /// The minimum delay (Retry-After); `nil` if the server sent none.
    package let floor: Duration?

    init(_ error: OAuthError, status: Int, floor: Duration?) {
        (self.error, self.floor) = (error, floor)
        isTemporary = status == 429 || status >= 500 || error.isTemporary
    }

    /// Whether the refresh token is invalid, which ends the session. A temporary error never ends a session.
    var endsSession: Bool { error.code == .invalidGrant && !isTemporary }
}

extension HTTPError {
    /// Returns the reason without the secrets of the request. If a redirect was refused, the reason advises
    /// which setting of `peer` to correct.
    package func reason(from peer: ServerRole, hiding secrets: Redaction = Redaction()) -> Reason {
        let reason = reason.mapTexts(secrets.redactingSecrets)
        guard code == .refusedRedirect, let advice = peer.advice else { return reason }
        return reason.replacingAdvice(with: advice)
    }
}
