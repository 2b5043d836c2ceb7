package import CutieAPI
import HTTP
package import OAuth

/// The reason why an API call failed. Each case requires a different reaction.
package enum APIFailure: Error {
    /// A temporary error: network, 5xx, 429. `floor`: the minimum delay (Retry-After). `ambiguous`: the
    /// server may have executed the call although its response was lost.
    case retry(String, floor: Duration? = nil, ambiguous: Bool)
    /// The API rejected the token, and also its replacement.
    case unauthorized(String)
    /// The API returned 403 or rejected the App ID. The user must act.
    case forbidden(String)
    /// The token is valid but lacks a scope. The values are the API's message and the missing scope; each is
    /// `nil` if the response did not contain it.
    case insufficientScope(String?, Scope?)
    /// 404, 405, 406, 501: the resource does not exist, or not for this account.
    case absent(String)
    /// A permanent error. The second value is the API's error response; `nil` if the API did not send one.
    case fatal(String, APIError? = nil)
    case cancelled

    /// `secrets`: the secrets of the request, which the target of a redirect may contain. `peer`: the server
    /// that was called.
    init(_ error: HTTPError, hiding secrets: Redaction, from peer: ServerRole = .api) {
        let sentence = secrets.redact(in: error.sentence(from: peer))
        switch error.code {
        case .cancelled: self = .cancelled
        case .badRequest, .unsupported: self = .fatal(sentence)
        case .cannotResolve, .cannotConnect, .refusedAddress, .tls: self = .retry(sentence, ambiguous: false)
        default: self = .retry(sentence, ambiguous: true)
        }
    }

    /// `isFromAPI`: whether the response is known to come from the API. If not, a 401 or 403 without the
    /// API's error format is treated as temporary: the network may require a login.
    init(_ error: APIError, at now: Timestamp, isFromAPI: Bool = false) {
        if [401, 403].contains(error.status), !isFromAPI, !error.isFromAPI {
            self = .retry(
                "\(error), but not in the format of the API: this network may require a login",
                floor: error.retryAfter?.delay(now: now), ambiguous: false)
            return
        }
        switch error.disposition {
        case .retry:
            let floor = error.retryAfter?.delay(now: now)
            self = .retry("\(error)", floor: floor, ambiguous: error.status >= 500)
        case .unauthorized: self = .unauthorized("\(error)")
        case .notOffered: self = .absent("\(error)")
        case .fatal: self = error.status == 403 ? .forbidden("\(error)") : .fatal("\(error)", error)
        }
    }

    /// The error message for the user.
    package var sentence: String {
        switch self {
        case .retry(let sentence, _, _), .unauthorized(let sentence), .forbidden(let sentence),
            .absent(let sentence), .fatal(let sentence, _):
            sentence
        case .insufficientScope(let words, let scope): Self.sentence(on: scope, words)
        case .cancelled: "cancelled"
        }
    }

    private static func sentence(on scope: Scope?, _ words: String?) -> String {
        let lack = scope.map { "the sign-in lacks the scope \($0)" } ?? words ?? "the sign-in lacks a scope"
        return lack + "; add it to `scopes`, then run `cutied ctl signin`"
    }

    /// Whether a retry would fail in the same way.
    var isFinal: Bool {
        switch self {
        case .absent, .forbidden, .insufficientScope, .fatal: true
        case .retry, .unauthorized, .cancelled: false
        }
    }
}

/// The error if the server is reachable but sends no data on a stream.
struct StreamTimeout: Error {
    let sentence: String
}
