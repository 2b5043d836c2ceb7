public import CutieAPI

/// The encoding `application/x-www-form-urlencoded` (RFC 6749 appendix B).
public enum Form {
    public struct Parameter: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// Encodes `parameters` in the given order.
    public static func encodeForm(_ parameters: [Parameter]) -> String {
        parameters.map { encode($0.name) + "=" + encode($0.value) }.joined(separator: "&")
    }

    /// Encodes `text`; a space becomes a plus sign.
    static func encode(_ text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false)
            .map { PercentEncoding.encode(String($0)) }.joined(separator: "+")
    }

    /// Returns the fields of a form as a JSON object of strings; `nil` if `bytes` are not a form. A token
    /// response can be a form: GitHub sends one if a proxy removed the `Accept` header of the request.
    public static func jsonObject(fromForm bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count <= TokenResponse.sizeLimit else { return nil }
        var fields: [String: String] = [:]
        for pair in String(decoding: bytes, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = decode(parts[0]), let value = decode(parts[1]),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        return fields.isEmpty ? nil : try? JSON.encode(fields)
    }

    /// Decodes `text`; `nil` if a `%` sequence is invalid or the result is not UTF-8.
    static func decode(_ text: Substring) -> String? {
        PercentEncoding.decode(Substring(text.map { $0 == "+" ? " " : String($0) }.joined()))
    }
}

/// A request that sends a form to an endpoint.
public struct FormRequest: Hashable, Sendable {
    public let url: EndpointURL
    public let parameters: [Form.Parameter]
    /// The `Authorization` header: Basic with the client's credentials, or Bearer with a token; `nil` if the
    /// request has no such header.
    public let authorization: String?

    init(to url: EndpointURL, parameters: [Form.Parameter], by client: AuthenticatedClient) {
        self.url = url
        switch client.method {
        case .basic(let secret):
            self.parameters = parameters
            authorization = "Basic " + Self.encodeBasicCredentials(clientID: client.id, secret: secret)
        case .form(let secret):
            let secret = Form.Parameter("client_secret", secret.rawValue)
            self.parameters = parameters + [Form.Parameter("client_id", client.id), secret]
            authorization = nil
        case .none:
            self.parameters = parameters + [Form.Parameter("client_id", client.id)]
            authorization = nil
        }
    }

    /// Creates a request of a public client. `token`: the bearer token that authorizes the request (RFC 6750
    /// §2.1); `nil` for a request without authorization.
    init(
        to url: EndpointURL, parameters: [Form.Parameter], clientID: String,
        accessToken token: Token<AccessToken>?
    ) {
        self.url = url
        self.parameters = parameters + [Form.Parameter("client_id", clientID)]
        authorization = token.map { "Bearer " + $0.rawValue }
    }

    public var body: [UInt8] { Array(Form.encodeForm(parameters).utf8) }

    /// The secrets of the request, which must be removed from error messages.
    public var secrets: Redaction {
        let names: Set = [
            "client_secret", "code", "code_verifier", "device_code", "refresh_token", "token", "assertion",
            "client_assertion", "subject_token",
        ]
        let secretValues = parameters.filter { names.contains($0.name) }.map(\.value)
        // Also redact the credentials alone, because a server may repeat them without the scheme.
        let credentials = authorization?.split(separator: " ").last.map(String.init)
        return Redaction(secretValues + [authorization, credentials].compactMap(\.self))
    }

    /// Encodes the credentials according to RFC 6749 §2.3.1: both parts are form-encoded and joined with a
    /// colon, and the result is encoded in base64.
    private static func encodeBasicCredentials(clientID: String, secret: Token<ClientSecret>) -> String {
        Base64.encode(Array((Form.encode(clientID) + ":" + Form.encode(secret.rawValue)).utf8))
    }
}

/// A description without secrets.
extension FormRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "a form for \(url)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A client with the authentication method that the server supports.
struct AuthenticatedClient {
    enum Method {
        /// A public client without a secret.
        case none
        case basic(Token<ClientSecret>)
        case form(Token<ClientSecret>)
    }

    let id: String
    let method: Method
}

/// The phantom type of client secrets (`client_secret`).
public enum ClientSecret {}
/// The phantom type of access tokens (`access_token`).
public enum AccessToken {}
/// The phantom type of refresh tokens (`refresh_token`).
public enum RefreshToken {}
