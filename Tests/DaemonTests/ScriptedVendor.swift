import CutieAPI
import Foundation
import OAuth
import Synchronization
import TestSupport

/// An authorization server that responds like the product of a particular vendor, and an API that accepts
/// every token.
final class ScriptedVendor: Sendable {
    typealias Form = [String: String]

    private struct State {
        var forms: [Form] = []
        var nonce: String?
    }

    let vendor: VendorResponses
    private let polls: [VendorResponses.Response]
    private let state = Mutex(State())
    private let api: Mutex<ScriptedAPI?> = Mutex(nil)

    /// - Parameter polls: the responses to the first polls of the device flow. The following poll returns
    ///   tokens.
    init(_ vendor: VendorResponses, polls: [VendorResponses.Response] = []) throws {
        (self.vendor, self.polls) = (vendor, polls)
        let metadata =
            try JSONSerialization.jsonObject(with: Data(vendor.metadata.utf8)) as? [String: Any] ?? [:]
        func path(_ key: String) -> String { (metadata[key] as? String ?? "").replacing("ORIGIN", with: "") }
        let answers: [(call: String, answer: ScriptedAPI.Responder)] = [
            (
                "GET " + vendor.metadataPath,
                { connection, request, _ in
                    connection.answer(
                        body: vendor.metadata.replacing("ORIGIN", with: ScriptedIssuer.origin(request)))
                }
            ),
            (
                "POST " + path("device_authorization_endpoint"),
                { connection, _, _ in connection.answer(vendor.device, vendor.device.body) }
            ),
            (
                "POST " + path("token_endpoint"),
                { [weak self] connection, request, _ in self?.token(connection, request) ?? false }
            ),
        ]
        let made = try ScriptedAPI(answers)
        api.withLock { $0 = made }
    }

    var url: String { api.withLock { $0?.url ?? "" } }
    var issuer: String { vendor.issuer.replacing("ORIGIN", with: url) }
    var forms: [Form] { state.withLock { $0.forms } }
    var refreshes: [Form] { forms.filter { $0["grant_type"] == "refresh_token" } }

    func setNonce(_ nonce: String?) { state.withLock { $0.nonce = nonce } }

    private func token(_ connection: RawConnection, _ request: RawConnection.Request) -> Bool {
        let form = ScriptedIssuer.form(request.body)
        let number = state.withLock { state in
            state.forms.append(form)
            return state.forms.count
        }
        let answer: VendorResponses.Response?
        switch form["grant_type"] {
        case "refresh_token": answer = vendor.refreshed
        case "authorization_code": answer = vendor.tokens
        default: answer = number <= polls.count ? polls[number - 1] : vendor.tokens
        }
        guard let answer else { return connection.refuse("invalid_grant") }
        let body = answer.body.replacing("ID_TOKEN", with: identityToken(ScriptedIssuer.origin(request)))
        return connection.answer(answer, body)
    }

    private func identityToken(_ origin: String) -> String {
        let now = Timestamp.base.milliseconds / 1000
        let nonce = state.withLock { $0.nonce }.map { #","nonce":"\#($0)""# } ?? ""
        let issuer = vendor.identityIssuer?.replacing("ORIGIN", with: origin) ?? ""
        let claims =
            #"{"iss":"\#(issuer)","sub":"kim","aud":"cutied","iat":\#(now),"exp":\#(now + 300)"#
            + "\(nonce)\(vendor.moreClaims)}"
        return [#"{"alg":"RS256","kid":"1"}"#, claims, "signed"].map { Base64URL.encode(Array($0.utf8)) }
            .joined(separator: ".")
    }
}

extension RawConnection {
    fileprivate func answer(_ answer: VendorResponses.Response, _ body: String) -> Bool {
        let date = "Date: \(ScriptedIssuer.httpDate(offset: 0))"
        return self.answer(answer.status, ["Content-Type: \(answer.type)", date], body: body)
    }
}
