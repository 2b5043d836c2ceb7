import Config
import CutieAPI
import Foundation
import OAuth
import Synchronization
import TestSupport
import Testing

@testable import Accounts
@testable import Daemon
@testable import EventLog

/// A fake authorization server, combined with a fake API that accepts the issued tokens. The n-th token pair
/// is `access-secret-n` and `refresh-secret-n`. By default, the API accepts only the newest access token.
final class ScriptedIssuer: Sendable {
    typealias Form = [String: String]
    /// A handler for token requests. Its parameters are the connection, the form, and the number of previous
    /// requests. Returns `false` to make the server send the default response.
    typealias TokenResponse = @Sendable (RawConnection, Form, Int) -> Bool

    struct State {
        var given = 0
        var forms: [Form] = []
        var revoked: [Form] = []
        /// The access tokens that the API accepts; `nil` if only the newest token is accepted.
        var taken: Set<String>?
        var lifetime: Int? = 3600
        var name = "Kim"
        var subject = "kim"
        /// The offset of the server's clock from `Timestamp.base`, in seconds. ID tokens contain this clock's
        /// time.
        var serverOffset = 0
        var nonce: String?
        /// The `iss` claim of an ID token; `nil` for the issuer's own URL.
        var statedIssuer: String?
        var audience = "cutied"
        /// The lifetime of ID tokens, in seconds.
        var life = 300
        /// The JWS header of ID tokens; `nil` if the server issues no ID tokens.
        var header: String? = #"{"alg":"ES256"}"#
        /// Additional claims of ID tokens, as JSON text.
        var claims = ""
        /// The function that signs ID tokens; `nil` for tokens with an invalid signature.
        var signer: (@Sendable ([UInt8]) -> [UInt8])?
        /// Additional metadata, as JSON text. `ORIGIN` is replaced by the URL of this server.
        var metadata = #","userinfo_endpoint":"ORIGIN/userinfo""#
    }

    let state: Mutex<State>
    let api: ScriptedAPI

    static let metadata = "GET /.well-known/oauth-authorization-server"
    static let token = "POST /token"
    static let device = "POST /device"
    static let userinfo = "GET /userinfo"
    static let revoke = "POST /revoke"

    init(
        _ others: KeyValuePairs<String, ScriptedAPI.Responder> = [:], token: TokenResponse? = nil
    ) throws {
        let box = Box()
        state = Mutex(State())
        let answers: [(String, ScriptedAPI.Responder)] = [
            (
                Self.metadata,
                { connection, request, _ in
                    let more = box.issuer?.state.withLock { $0.metadata } ?? ""
                    return connection.answer(body: Self.metadata(request, more))
                }
            ),
            (
                Self.token,
                { connection, request, asked in
                    let form = Self.form(request.body)
                    box.issuer?.state.withLock { $0.forms.append(form) }
                    if token?(connection, form, asked) == true { return true }
                    return connection.answer(
                        "200 OK", ["Date: \(box.issuer?.date ?? "")"], body: box.issuer?.tokens(request) ?? ""
                    )
                }
            ),
            (
                Self.device,
                { connection, request, _ in
                    connection.answer(
                        body: #"{"device_code":"device-secret","user_code":"WDJB-MJHT","interval":5,"#
                            + #""verification_uri":"\#(Self.origin(request))/device","expires_in":600}"#)
                }
            ),
            (
                Self.userinfo,
                { connection, _, _ in
                    let (name, subject) = box.issuer?.state.withLock { ($0.name, $0.subject) } ?? ("", "")
                    return connection.answer(
                        body: #"{"sub":"\#(subject)","name":"\#(name)","email":"\#(subject)@example.com"}"#)
                }
            ),
            (
                Self.revoke,
                { connection, request, _ in
                    box.issuer?.state.withLock { $0.revoked.append(Self.form(request.body)) }
                    return connection.answer()
                }
            ),
            (
                ScriptedAPI.list,
                { connection, request, _ in
                    box.issuer?.acceptsToken(request) == false
                        && connection.answer(
                            "401 Unauthorized", [#"WWW-Authenticate: Bearer error="invalid_token""#],
                            body: #"{"error":"who are you?"}"#)
                }
            ),
        ]
        // If the handler of a test returns `false`, the default handler sends the response.
        let all = others.map { call, answer in
            let usual = answers.first { $0.0 == call }?.1
            let both: ScriptedAPI.Responder = { answer($0, $1, $2) || usual?($0, $1, $2) == true }
            return (call: call, answer: both)
        }
        api = try ScriptedAPI(all + answers.map { (call: $0.0, answer: $0.1) })
        box.issuer = self
    }

    private final class Box: Sendable {
        private let value = Mutex<ScriptedIssuer?>(nil)
        var issuer: ScriptedIssuer? {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    var url: String { api.url }
    var forms: [Form] { state.withLock { $0.forms } }
    var refreshes: Int { forms.count { $0["grant_type"] == "refresh_token" } }

    static func origin(_ request: RawConnection.Request) -> String {
        "http://" + (request.values(of: "Host").first ?? "")
    }

    static func metadata(_ request: RawConnection.Request, _ more: String) -> String {
        let origin = origin(request)
        return #"{"issuer":"\#(origin)","token_endpoint":"\#(origin)/token","#
            + #""authorization_endpoint":"\#(origin)/authorize","#
            + #""device_authorization_endpoint":"\#(origin)/device","revocation_endpoint":"\#(origin)/revoke","#
            + #""scopes_supported":["openid","offline_access","conversations:read"],"#
            + #""authorization_response_iss_parameter_supported":true\#(more.replacing("ORIGIN", with: origin))}"#
    }

    static func form(_ body: [UInt8]) -> Form {
        let parts = String(decoding: body, as: UTF8.self).split(separator: "&")
            .map { $0.split(separator: "=", maxSplits: 1).map { String($0).removingPercentEncoding ?? "" } }
        return Dictionary(parts.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
    }

    private func acceptsToken(_ request: RawConnection.Request) -> Bool {
        let token = request.values(of: "Authorization").first?.replacing("Bearer ", with: "") ?? ""
        return state.withLock { $0.taken?.contains(token) ?? (token == "access-secret-\($0.given)") }
    }

    private var date: String { Self.httpDate(offset: state.withLock { $0.serverOffset }) }

    /// Returns a `Date` header value for a server whose clock is `offset` seconds ahead.
    static func httpDate(offset: Int) -> String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let seconds = Timestamp.base.milliseconds / 1000 + Int64(offset)
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    private func tokens(_ request: RawConnection.Request) -> String {
        state.withLock { state in
            state.given += 1
            let start = Timestamp.base.milliseconds / 1000 + Int64(state.serverOffset)
            let issuer = state.statedIssuer ?? Self.origin(request)
            let nonce = state.nonce.map { #","nonce":"\#($0)""# } ?? ""
            let claims =
                #"{"iss":"\#(issuer)","sub":"\#(state.subject)","aud":"\#(state.audience)","#
                + #""exp":\#(start + Int64(state.life)),"iat":\#(start)\#(nonce)\#(state.claims)}"#
            let life = state.lifetime.map { #""expires_in":\#($0),"# } ?? ""
            return #"{"access_token":"access-secret-\#(state.given)","token_type":"Bearer",\#(life)"#
                + #""refresh_token":"refresh-secret-\#(state.given)"\#(state.identityToken(claims))}"#
        }
    }
}

extension ScriptedIssuer.State {
    fileprivate func identityToken(_ claims: String) -> String {
        guard let header else { return "" }
        let text = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let signature = signer?(Array(text.utf8)) ?? Array("signed".utf8)
        return #","id_token":"\#(text).\#(Base64URL.encode(signature))""#
    }
}

extension RawConnection {
    /// Responds with an OAuth error as defined in RFC 6749 §5.2.
    @discardableResult
    func refuse(_ code: String, _ status: String = "400 Bad Request") -> Bool {
        answer(status, body: #"{"error":"\#(code)"}"#)
    }
}

extension IngestFixture {
    /// Returns a staff account with the same dependencies as in the daemon.
    func staff(
        at url: String, on machine: Machine? = nil, _ change: (inout AccountConfiguration) -> Void = { _ in }
    ) throws -> AccountUnit {
        let accounts = AccountRegistry(log: log)
        var configuration = AccountConfiguration(name: "desk", kind: .staff)
        configuration.apiURL = try APIAddress(url)
        configuration.transport = .poll
        change(&configuration)
        try supervisor(of: accounts, on: machine).applyConfigurations([configuration])
        return try #require(accounts.units.first)
    }

    /// Returns a staff account that is signed in by the device flow.
    func signedIn(
        at issuer: ScriptedIssuer, on machine: Machine? = nil,
        _ change: (inout AccountConfiguration) -> Void = { _ in }
    ) async throws -> AccountUnit {
        let unit = try staff(at: issuer.url, on: machine, change)
        try await unit.requireSignIn().signIn(by: .device, loginHint: nil, isNewAccount: false) { _ in }
        return unit
    }
}

@MainActor
extension AccountUnit {
    var session: SignInSession { get throws { try requireSignIn().session } }

    func list() async throws { _ = try await feed.client.listConversations(limit: 1, offset: 0, etag: nil) }
}
