package import CutieAPI
import HTTP
package import OAuth
package import Reasons

/// The reason why an API call failed. Each case requires a different reaction.
package enum APIFailure: Error {
    /// A temporary error: network, 5xx, 429. `floor`: the minimum delay (Retry-After). `ambiguous`: whether
    /// the server may have executed the call despite the error.
    case retry(Reason, floor: Duration? = nil, ambiguous: Bool)
    /// The API rejected the token, and then also rejected the newly issued token.
    case unauthorized(Reason)
    /// The API returned 403 or rejected the App ID. The user must act.
    case forbidden(Reason)
    /// The token is valid but lacks a scope. The values are the API's message and the missing scope; each is
    /// `nil` if the response did not contain it.
    case insufficientScope(String?, Scope?)
    /// 404, 405, 406, 501: the resource does not exist, or not for this account.
    case absent(Reason)
    /// A permanent error. The second value is the API's error response; `nil` if the API did not send one.
    case fatal(Reason, APIError? = nil)
    case cancelled

    /// Converts a failure of the HTTP client. `secrets`: the secrets to redact from the reason; the target of
    /// a redirect may contain secrets. `peer`: the server that was called.
    init(_ error: HTTPError, hiding secrets: Redaction, from peer: ServerRole = .api) {
        let reason = error.reason(from: peer, hiding: secrets)
        switch error.code {
        case .cancelled: self = .cancelled
        case .badRequest, .unsupported: self = .fatal(reason)
        case .cannotResolve, .cannotConnect, .refusedAddress, .tls: self = .retry(reason, ambiguous: false)
        default: self = .retry(reason, ambiguous: true)
        }
    }

    /// Converts an error response. `isFromAPI`: whether the response is known to come from the API. If not, a
    /// 401 or 403 without the API's error format is treated as temporary, because it may come from a captive
    /// portal.
    init(_ error: APIError, at now: Timestamp, isFromAPI: Bool = false) {
        if [401, 403].contains(error.status), !isFromAPI, !error.isFromAPI {
            self = .retry(
                Reason(.notFromAPI, because: error.reason), floor: error.retryAfter?.retryDelay(now: now),
                ambiguous: false)
            return
        }
        switch error.disposition {
        case .retry:
            let floor = error.retryAfter?.retryDelay(now: now)
            self = .retry(error.reason, floor: floor, ambiguous: error.status >= 500)
        case .unauthorized: self = .unauthorized(error.reason)
        case .notOffered: self = .absent(error.reason)
        case .fatal: self = error.status == 403 ? .forbidden(error.reason) : .fatal(error.reason, error)
        }
    }

    package var reason: Reason {
        switch self {
        case .retry(let reason, _, _), .unauthorized(let reason), .forbidden(let reason),
            .absent(let reason), .fatal(let reason, _):
            reason
        case .insufficientScope(let words, let scope): Self.makeReason(forMissingScope: scope, message: words)
        case .cancelled: Reason(.requestCancelled)
        }
    }

    /// The reason in English, for the log.
    package var sentence: String { reason.english }

    private static func makeReason(forMissingScope scope: Scope?, message: String?) -> Reason {
        if let scope { return Reason(.scopeMissing, ["scope": scope.description]) }
        return message.map { Reason(.someScopeMissingBecause, ["message": $0]) } ?? Reason(.someScopeMissing)
    }

    /// Whether a retry would fail in the same way.
    var isFinal: Bool {
        switch self {
        case .absent, .forbidden, .insufficientScope, .fatal: true
        case .retry, .unauthorized, .cancelled: false
        }
    }
}

/// The error for an event stream whose response headers do not arrive in time, probably because a proxy
/// buffers the stream.
struct StreamTimeout: Error {
    let reason: Reason
}
