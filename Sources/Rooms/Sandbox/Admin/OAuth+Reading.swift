import CutieAPI
import Foundation

extension OAuth.Request {
    /// From a form, as RFC 6749 has it, or from JSON. A client may prove itself by HTTP Basic instead of in
    /// the body, not by both.
    init(_ call: Call) throws(Refusal) {
        let type = call.header(HeaderName.contentType)?.lowercased() ?? ""
        let isForm = type.split(separator: ";").first == "application/x-www-form-urlencoded"
        // curl and URLSession call every body a form where nothing else is said; none begins like this.
        if isForm, call.body.first != UInt8(ascii: "{") {
            self = try Self(form: try Form(call.body))
        } else {
            do throws(Refusal) { self = try call.decode() } catch {
                throw .grant("invalid_request", error.sentence)
            }
        }
        guard let line = call.header(HeaderName.authorization) else { return }
        guard clientSecret == nil else {
            throw .grant("invalid_request", "the client proves itself in the body and by Authorization")
        }
        let (plain, decoded) = try Self.basic(line)
        (clientID, clientSecret, self.decoded) = (plain.id, plain.secret, decoded)
        isBasic = true
    }

    private init(form: Form) throws(Refusal) {
        guard let grantType = form["grant_type"] else {
            throw .grant("invalid_request", "grant_type is missing")
        }
        self.init(
            grantType: grantType, clientID: form["client_id"], clientSecret: form["client_secret"],
            refreshToken: form["refresh_token"], scope: form["scope"])
    }

    /// Id and secret, also decoded as from a form: so they are to be joined (RFC 6749, 2.3.1).
    private static func basic(_ line: String) throws(Refusal) -> (OAuthClient, decoded: OAuthClient?) {
        let words = line.split(separator: " ")
        if words.count == 2, words[0].lowercased() == "basic",
            let data = Data(base64Encoded: String(words[1])),
            let colon = data.firstIndex(of: UInt8(ascii: ":")),
            let id = String(validating: data[..<colon], as: UTF8.self),
            let secret = String(validating: data[colon...].dropFirst(), as: UTF8.self)
        {
            let decoded = Form.decoded(id.utf8).flatMap { id in
                Form.decoded(secret.utf8).map { OAuthClient(id: id, secret: $0) }
            }
            return (OAuthClient(id: id, secret: secret), decoded)
        }
        var refusal = Refusal.grant(
            "invalid_client", "Authorization must be Basic with client_id and client_secret", .unauthorized)
        refusal.challenge = "Basic realm=\"Cuti-E\""
        throw refusal
    }
}

/// `application/x-www-form-urlencoded`. A parameter without a value is none (RFC 6749, 3.2).
struct Form {
    private var values: [String: String] = [:]

    init(_ body: [UInt8]) throws(Refusal) {
        for part in body.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.decoded(part[..<end]), let value = Self.decoded(part[end...].dropFirst())
            else {
                throw .grant("invalid_request", "the body is no form")
            }
            guard !value.isEmpty else { continue }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .grant("invalid_request", "a parameter is there twice")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Nil where it is no text.
    static func decoded(_ bytes: some Collection<UInt8>) -> String? {
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(validating: spaced, as: UTF8.self)?.removingPercentEncoding
    }
}
