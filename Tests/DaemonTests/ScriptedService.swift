import Foundation
import OAuth
import Synchronization
import TestSupport

/// A fake service of an institution. It publishes its description and issues and revokes tokens.
final class ScriptedService: Sendable {
    typealias Form = [String: String]

    struct State {
        var forms: [Form] = []
        var revoked: [String] = []
        /// The number of issued service tokens.
        var given = 0
        /// The service token that requests for app tokens must contain; `nil` if every token is accepted.
        var serviceToken: String?
        /// The description of the service as JSON; `nil` for the default description.
        var document: String?
        var etag: String?
        /// The content of the file `services.txt`; `nil` for the default content.
        var list: String?
        /// The OAuth error code in the response to every token request; `nil` to issue tokens.
        var refusal: String?
        /// Whether revocation requests fail.
        var isAway = false
        var lifetime = 3600
        var hasRefreshTokens = true
        var isTokenEndpointAway = false
        /// The access token in the response to every app request; `nil` to issue a new token each time.
        var sameToken: String?
        /// A gate that delays responses to requests for app tokens until it opens.
        var gate: Gate?
        /// A gate that delays responses to revocations until it opens.
        var revocationGate: Gate?
    }

    let state = Mutex(State())
    private let api: Mutex<ScriptedAPI?> = Mutex(nil)

    init() throws {
        let answers: [(call: String, answer: ScriptedAPI.Responder)] = [
            (
                "GET /services.txt",
                { [weak self] connection, _, _ in
                    connection.answer(
                        body: self?.state.withLock(\.list)
                            ?? "# services\napplication/x-rsd+json; /rsd.json\n")
                }
            ),
            (
                "GET /rsd.json",
                { [weak self] connection, request, _ in self?.describe(connection, request) ?? false }
            ),
            (
                "POST /discovery",
                { [weak self] connection, request, _ in
                    self.map { connection.answer(body: "[\($0.document(request))]") } ?? false
                }
            ),
            (
                "POST /oauth2/token",
                { [weak self] connection, request, _ in self?.token(connection, request) ?? false }
            ),
            (
                "POST /oauth2/revoke",
                { [weak self] connection, request, _ in self?.revoke(connection, request) ?? false }
            ),
        ]
        let made = try ScriptedAPI(answers)
        api.withLock { $0 = made }
    }

    var url: String { api.withLock { $0?.url ?? "" } }
    var forms: [Form] { state.withLock { $0.forms } }
    var revoked: [String] { state.withLock { $0.revoked } }
    func requestCount(of call: String) -> Int { api.withLock { $0?.requestCount(of: call) ?? 0 } }

    /// The number of token requests that contain a client assertion, which identifies the user.
    var introductions: Int { forms.count { $0["client_assertion"] != nil } }
    var appAssertions: Int { forms.count { $0["assertion"] != nil && $0["client_assertion"] == nil } }

    private func document(_ request: RawConnection.Request) -> String {
        let origin = "http://" + (request.values(of: "Host").first ?? "")
        return state.withLock { $0.document } ?? Self.description(of: "Library", at: origin)
    }

    static func description(of name: String, at origin: String, api: String = "/files") -> String {
        """
        {"engineName":"\(name)","engineLink":"\(origin)","apis":{"org.ietf.oauth2":{"apiLink":"/oauth2"},\
        "org.example.files":{"apiLink":"\(api)","apiVersion":"2","settings":{"scope":"files:read"}},\
        "org.example.other":{"apiLink":"/other","settings":{"scope":"other:use"}}}}
        """
    }

    private func describe(_ connection: RawConnection, _ request: RawConnection.Request) -> Bool {
        let etag = state.withLock { $0.etag }
        if let etag, request.values(of: "If-None-Match").first == etag {
            return connection.answer("304 Not Modified", ["ETag: \(etag)"])
        }
        return connection.answer("200 OK", etag.map { ["ETag: \($0)"] } ?? [], body: document(request))
    }

    private func token(_ connection: RawConnection, _ request: RawConnection.Request) -> Bool {
        if state.withLock(\.isTokenEndpointAway) { return connection.answer("503 Service Unavailable") }
        let form = Self.form(request.body)
        let bearer = request.values(of: "Authorization").first?.replacing("Bearer ", with: "")
        let (refusal, body): (String?, String) = state.withLock { state in
            state.forms.append(form)
            if let refusal = state.refusal { return (refusal, "") }
            let isOfApp = form["assertion"] != nil && form["client_assertion"] == nil
            if isOfApp, bearer != state.serviceToken || bearer == nil { return ("invalid_token", "") }
            state.given += 1
            let token = (isOfApp ? state.sameToken : nil) ?? "given-secret-\(state.given)"
            if form["client_assertion"] != nil { state.serviceToken = token }
            let scope = form["scope"].map { #","scope":"\#($0.replacing("+", with: " "))""# } ?? ""
            let refresh = state.hasRefreshTokens ? #","refresh_token":"refresh-\#(token)""# : ""
            return (
                nil,
                #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":\#(state.lifetime)"#
                    + "\(refresh)\(scope)}"
            )
        }
        if form["client_assertion"] == nil { state.withLock(\.gate)?.wait() }
        guard let refusal else { return connection.answer(body: body) }
        return connection.refuse(refusal, refusal == "invalid_token" ? "401 Unauthorized" : "400 Bad Request")
    }

    private func revoke(_ connection: RawConnection, _ request: RawConnection.Request) -> Bool {
        let token = Self.form(request.body)["token"] ?? ""
        state.withLock(\.revocationGate)?.wait()
        let isAway = state.withLock { state in
            if !state.isAway { state.revoked.append(token) }
            return state.isAway
        }
        return isAway ? connection.answer("503 Service Unavailable") : connection.answer()
    }

    private static func form(_ body: [UInt8]) -> Form {
        let parts = String(decoding: body, as: UTF8.self).split(separator: "&")
            .map { $0.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" } }
        return Dictionary(parts.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }
}

/// Returns the claims of a signed token without verifying the signature.
func claims(of token: String?) -> [String: String] {
    guard let part = token?.split(separator: ".").dropFirst().first, let bytes = Base64URL.decode(part),
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    else { return [:] }
    return object.mapValues { "\($0)" }
}
