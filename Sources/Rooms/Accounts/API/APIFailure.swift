package import CutieAPI
import HTTP
package import OAuth

/// Why a call of the API did not succeed, by what to do about it.
package enum APIFailure: Error {
    /// May heal: network, 5xx, 429. `floor`: the server's Retry-After. `ambiguous`: the server may have
    /// taken the call although its answer was lost.
    case retry(String, floor: Duration? = nil, ambiguous: Bool)
    /// The API refused the token twice.
    case unauthorized(String)
    /// The API's 403, or a refused App ID: needs a person.
    case forbidden(String)
    /// The token is good and may not be used for this. The API's words, and what the token lacks, where it says so.
    case insufficientScope(String?, Scope?)
    /// 404, 405, 406, 501: this server does not have this, or not for us.
    case absent(String)
    /// Will not heal by itself. With an answer: the API refused the call.
    case fatal(String, APIError? = nil)
    case cancelled

    /// `secrets`: of the call. An address that a server redirects to may hold one. `peer`: which server was called.
    init(_ error: HTTPError, hiding secrets: Redaction, from peer: ServerRole = .api) {
        let sentence = secrets.hide(in: error.sentence(from: peer))
        switch error.code {
        case .cancelled: self = .cancelled
        case .badRequest, .unsupported: self = .fatal(sentence)
        case .cannotResolve, .cannotConnect, .refusedAddress, .tls: self = .retry(sentence, ambiguous: false)
        default: self = .retry(sentence, ambiguous: true)
        }
    }

    /// `isOfTheAPI`: it is known who answered. Else a 401 or 403 that does not say so in the API's way may be a
    /// network's that wants a login: it passes.
    init(_ error: APIError, at now: Timestamp, isOfTheAPI: Bool = false) {
        if [401, 403].contains(error.status), !isOfTheAPI, !error.isOfTheAPI {
            self = .retry(
                "\(error), and not in the API's words: this network may want you to log in",
                floor: error.retryAfter?.delay(now: now), ambiguous: false)
            return
        }
        switch error.fate {
        case .retry:
            let floor = error.retryAfter?.delay(now: now)
            self = .retry("\(error)", floor: floor, ambiguous: error.status >= 500)
        case .unauthorized: self = .unauthorized("\(error)")
        case .notOffered: self = .absent("\(error)")
        case .fatal: self = error.status == 403 ? .forbidden("\(error)") : .fatal("\(error)", error)
        }
    }

    /// What a person reads.
    package var sentence: String {
        switch self {
        case .retry(let sentence, _, _), .unauthorized(let sentence), .forbidden(let sentence),
            .absent(let sentence), .fatal(let sentence, _):
            sentence
        case .insufficientScope(let words, let scope): Self.sentence(on: scope, words)
        case .cancelled: "given up"
        }
    }

    private static func sentence(on scope: Scope?, _ words: String?) -> String {
        let lack = scope.map { "the sign-in lacks the scope \($0)" } ?? words ?? "the sign-in lacks a scope"
        return lack + "; add it to `scopes`, then run `cutied ctl signin`"
    }

    /// The server has said no, and says no again.
    var isFinal: Bool {
        switch self {
        case .absent, .forbidden, .insufficientScope, .fatal: true
        case .retry, .unauthorized, .cancelled: false
        }
    }
}

/// The server was reached, and gives no answer where a stream is asked for.
struct HeldBack: Error {
    let sentence: String
}
