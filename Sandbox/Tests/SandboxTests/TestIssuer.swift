import Crypto
import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// The authorization server of a running sandbox, and a user who has an account there.
struct TestIssuer: Sendable {
    let sandbox: RunningSandbox
    let email: String
    let password: String
    let adminID: String

    static let form = ["Content-Type": "application/x-www-form-urlencoded"]
    static let verifier = String(repeating: "verifier-", count: 6)
    static let redirect = "io.cutied.cutied:/signin"
    static let scope = "openid profile email offline_access conversations:read messages:write"

    struct Tokens: Decodable, Sendable {
        let access_token: String
        let refresh_token: String?
        let id_token: String?
        let expires_in: Int
        let token_type: String
        let scope: String

        /// Returns the claims in the ID token, without verifying the signature.
        func claims() throws -> [String: Claim] {
            let parts = try #require(id_token).split(separator: ".")
            return try JSON.decode([String: Claim].self, from: try #require(Data(base64URL: parts[1])))
        }
    }

    /// A claim of an ID token.
    enum Claim: Decodable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    struct DeviceCode: Decodable, Sendable {
        let device_code: String
        let user_code: String
        let verification_uri: String
        let verification_uri_complete: String
        let expires_in: Int
        let interval: Int
    }

    struct Refused: Decodable, Equatable {
        let error: String
        let error_description: String?
    }

    func post(
        _ path: String, _ fields: [String: String], _ headers: [String: String] = [:]
    ) async throws -> RunningSandbox.Answer {
        try await sandbox.call(
            "POST", "/v1/auth/oauth/" + path, Self.form.merging(headers) { $1 }, TestBrowser.form(fields))
    }

    /// Sends a request to the token endpoint as the public client `cutied`.
    func ask(_ grant: String, _ fields: [String: String]) async throws -> RunningSandbox.Answer {
        try await post("token", fields.merging(["grant_type": grant, "client_id": "cutied"]) { $1 })
    }

    func refresh(_ token: String?) async throws -> RunningSandbox.Answer {
        try await ask("refresh_token", ["refresh_token": token ?? ""])
    }

    func poll(_ code: DeviceCode) async throws -> RunningSandbox.Answer {
        try await ask(
            "urn:ietf:params:oauth:grant-type:device_code", ["device_code": code.device_code])
    }

    func redeem(
        _ code: String, verifier: String = verifier, redirect: String = redirect
    ) async throws -> RunningSandbox.Answer {
        try await ask(
            "authorization_code", ["code": code, "code_verifier": verifier, "redirect_uri": redirect])
    }

    func deviceCode(scope: String = scope) async throws -> DeviceCode {
        let answer = try await post("device", ["client_id": "cutied", "scope": scope])
        try #require(answer.status == 200, "\(answer.error ?? "")")
        return try answer.decoded()
    }

    /// Returns the authorization URL for the browser. `changes` replaces parameters; `nil` removes a
    /// parameter.
    func authorization(_ changes: [String: String?] = [:]) -> String {
        let digest = Data(SHA256.hash(data: Data(Self.verifier.utf8)))
        var fields: [String: String?] = [
            "response_type": "code", "client_id": "cutied", "redirect_uri": Self.redirect, "state": "a b&c",
            "scope": Self.scope, "nonce": "once", "code_challenge": digest.base64URL,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { fields.updateValue(value, forKey: name) }
        return "/v1/auth/oauth/authorize?" + TestBrowser.form(fields.compactMapValues(\.self))
    }

    func browser() -> TestBrowser { TestBrowser(sandbox.address.url) }

    /// Signs in with a browser and returns the authorization code.
    func code(_ changes: [String: String?] = [:]) async throws -> String {
        let browser = browser()
        let consent = try await browser.signIn(email, password, to: authorization(changes))
        let answer = try await browser.submit(consent, ["decision": "allow"])
        return try #require(Self.parameters(of: answer.away)["code"])
    }

    /// Signs in and returns all tokens.
    func tokens(_ changes: [String: String?] = [:]) async throws -> Tokens {
        try await redeem(try await code(changes)).decoded()
    }

    /// Returns the query parameters of a redirect URL.
    static func parameters(of place: String?) -> [String: String] {
        let items = place.flatMap(URLComponents.init(string:))?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    func works(_ accessToken: String) async throws -> Bool {
        let bearer = ["Authorization": "Bearer \(accessToken)"]
        return try await sandbox.call("GET", "/v1/conversations", bearer).status == 200
    }
}

extension RunningSandbox {
    func issuer(name: String = "Kim", email: String = "kim@example.org") async throws -> TestIssuer {
        struct Made: Decodable {
            let admin_id: String
            let password: String
        }
        let answer = try await admin().call(
            "POST", "/v1/sandbox/admins", #"{"name":"\#(name)","email":"\#(email)"}"#)
        try #require(answer.status == 201, "\(answer.error ?? "")")
        let made: Made = try answer.decoded()
        return TestIssuer(sandbox: self, email: email, password: made.password, adminID: made.admin_id)
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    init?(base64URL text: some StringProtocol) {
        let plain = String(text).replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
