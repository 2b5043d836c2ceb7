/// The responses of a vendor's authorization server, including documented or reported deviations from
/// the standards. `ORIGIN` stands for the server's URL, and `ID_TOKEN` for an ID token of
/// `identityIssuer` about the user `kim`.
public struct VendorResponses: Sendable, CustomStringConvertible {
    public struct Response: Sendable {
        public var status = "200 OK"
        public var type = "application/json"
        public let body: String

        init(_ status: String = "200 OK", _ body: String) { (self.status, self.body) = (status, body) }

        static func form(_ body: String) -> Response {
            var answer = Response(body)
            answer.type = "application/x-www-form-urlencoded; charset=utf-8"
            return answer
        }

        private init(_ body: String) { self.body = body }
    }

    public let description: String
    /// The issuer URL as a user configures it.
    public let issuer: String
    /// The only path that returns metadata. All other metadata paths return 404.
    public let metadataPath: String
    public let metadata: String
    /// The claim `iss` of ID tokens; `nil` if the vendor issues no ID tokens.
    public var identityIssuer: String?
    /// Additional claims in the ID tokens of this vendor, as JSON text.
    public var moreClaims = ""
    /// The response to a device authorization request. The following properties are values from this
    /// response.
    public let device: Response
    public let userCode: String
    public var interval = 5
    public let expiresIn: Int
    /// The responses to polls before the user decides. `wait` is the expected delay after each response, in
    /// seconds.
    public let pending: [(answer: Response, wait: Int)]
    public let denied: Response
    public let tokens: Response
    public let scope: [String]
    /// The lifetime of the access token in seconds; `nil` if the access token does not expire.
    public var lifetime: Int?
    /// The response to a refresh; `nil` if the vendor issues no refresh token.
    public var refreshed: Response?
    /// Whether the previous refresh token stays valid after a refresh.
    public var keepsRefreshToken = false
    /// Additional query parameters of the redirect, after `code` and `state`.
    public var redirectParameters = ""
    /// Whether the vendor issues ID tokens, which identify the user.
    public var knowsPerson: Bool { identityIssuer != nil }
}

extension VendorResponses {
    public static let all = [google, entra, keycloak, okta, auth0, gitLab, gitHub]

    /// Returns metadata with the fields that all vendors publish.
    private static func metadata(
        issuer: String, authorize: String, token: String, device: String, _ more: String = ""
    ) -> String {
        #"{"issuer":"\#(issuer)","authorization_endpoint":"ORIGIN\#(authorize)","token_endpoint":"ORIGIN\#(token)","#
            + #""device_authorization_endpoint":"ORIGIN\#(device)","response_types_supported":["code"]\#(more)}"#
    }

    /// Deviations of Google: the field name `verification_url`, a different status for each error, and no new
    /// refresh token in a refresh response
    /// (developers.google.com/identity/protocols/oauth2/limited-input-device).
    private static let google = VendorResponses(
        description: "Google", issuer: "ORIGIN", metadataPath: "/.well-known/openid-configuration",
        metadata: metadata(
            issuer: "ORIGIN", authorize: "/o/oauth2/v2/auth", token: "/token", device: "/device/code",
            #","scopes_supported":["openid","email","profile"],"code_challenge_methods_supported":["plain","S256"]"#
        ),
        identityIssuer: "ORIGIN",
        device: Response(
            "200 OK",
            #"""
            {"device_code":"device-secret","user_code":"GQVQ-JKEC",
             "verification_url":"https://www.google.com/device","expires_in":1800,"interval":5}
            """#), userCode: "GQVQ-JKEC", expiresIn: 1800,
        pending: [
            (
                Response(
                    "428 Precondition Required",
                    #"{"error":"authorization_pending","error_description":"Precondition Required"}"#), 5
            ),
            (Response("403 Forbidden", #"{"error":"slow_down","error_description":"Forbidden"}"#), 10),
        ], denied: Response("403 Forbidden", #"{"error":"access_denied","error_description":"Forbidden"}"#),
        tokens: Response(
            "200 OK",
            #"""
            {"access_token":"access-1","expires_in":3920,"refresh_token":"refresh-1","token_type":"Bearer",
             "scope":"openid https://www.googleapis.com/auth/userinfo.email","id_token":"ID_TOKEN"}
            """#), scope: ["openid", "https://www.googleapis.com/auth/userinfo.email"], lifetime: 3920,
        refreshed: Response(
            "200 OK",
            #"{"access_token":"access-2","expires_in":3599,"scope":"openid","token_type":"Bearer","id_token":"ID_TOKEN"}"#
        ), keepsRefreshToken: true, redirectParameters: "&scope=openid&authuser=0&prompt=consent")

    /// Deviations of Entra: numbers encoded as strings (older endpoint), descriptions with several lines, the
    /// error code `authorization_declined`, and `{tenantid}` in the issuer for several tenants
    /// (learn.microsoft.com/entra/identity-platform/v2-oauth2-device-code,
    /// github.com/MicrosoftDocs/azure-docs/issues/38427).
    private static let entra = VendorResponses(
        description: "Entra", issuer: "ORIGIN/common/v2.0",
        metadataPath: "/common/v2.0/.well-known/openid-configuration",
        metadata: metadata(
            issuer: "ORIGIN/{tenantid}/v2.0", authorize: "/common/oauth2/v2.0/authorize",
            token: "/common/oauth2/v2.0/token", device: "/common/oauth2/v2.0/devicecode",
            #","scopes_supported":["openid","profile","email","offline_access"]"#),
        identityIssuer: "ORIGIN/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
        moreClaims: #","tid":"9188040d-6c67-4c5b-b112-36a304b66dad","ver":"2.0""#,
        device: Response(
            "200 OK",
            #"""
            {"user_code":"FJWY8SFAN","device_code":"device-secret","verification_uri":"https://microsoft.com/devicelogin",
             "expires_in":"900","interval":"5","message":"To sign in, use a web browser to open the page ..."}
            """#), userCode: "FJWY8SFAN", expiresIn: 900,
        pending: [
            (
                Response(
                    "400 Bad Request",
                    #"""
                    {"error":"authorization_pending","error_description":"AADSTS70016: Authorization is pending.\r\nTrace ID: 1\r\n",
                     "error_codes":[70016],"timestamp":"2026-01-02 03:04:05Z","error_uri":"https://login.microsoftonline.com/error"}
                    """#), 5
            )
        ],
        denied: Response(
            "400 Bad Request",
            #"{"error":"authorization_declined","error_description":"AADSTS70021: declined\r\nTrace ID: 1"}"#),
        tokens: Response(
            "200 OK",
            #"""
            {"token_type":"Bearer","scope":"openid profile email","expires_in":"3599","ext_expires_in":"3599",
             "access_token":"access-1","refresh_token":"refresh-1","id_token":"ID_TOKEN"}
            """#), scope: ["openid", "profile", "email"], lifetime: 3599,
        refreshed: Response(
            "200 OK",
            #"""
            {"token_type":"Bearer","scope":"openid profile email","expires_in":3599,"ext_expires_in":3599,
             "access_token":"access-2","refresh_token":"refresh-2","id_token":"ID_TOKEN"}
            """#), redirectParameters: "&session_state=00000000-0000")

    /// Characteristics of Keycloak: the realm in the path of the issuer, support for RFC 9207, and a
    /// `refresh_expires_in` of 0 for an offline session (www.keycloak.org/securing-apps).
    private static let keycloak = VendorResponses(
        description: "Keycloak", issuer: "ORIGIN/realms/demo",
        metadataPath: "/.well-known/oauth-authorization-server/realms/demo",
        metadata: metadata(
            issuer: "ORIGIN/realms/demo", authorize: "/realms/demo/protocol/openid-connect/auth",
            token: "/realms/demo/protocol/openid-connect/token",
            device: "/realms/demo/protocol/openid-connect/auth/device",
            #","scopes_supported":["openid","profile","email","offline_access"],"#
                + #""authorization_response_iss_parameter_supported":true"#),
        identityIssuer: "ORIGIN/realms/demo", moreClaims: #","azp":"cutied","typ":"ID","acr":"1""#,
        device: Response(
            "200 OK",
            #"""
            {"device_code":"device-secret","user_code":"CXQS-JQXG","expires_in":600,"interval":5,
             "verification_uri":"https://sso.example/realms/demo/device",
             "verification_uri_complete":"https://sso.example/realms/demo/device?user_code=CXQS-JQXG"}
            """#), userCode: "CXQS-JQXG", expiresIn: 600,
        pending: [
            (
                Response(
                    "400 Bad Request",
                    #"{"error":"authorization_pending","error_description":"The authorization request is still pending"}"#
                ), 5
            ), (Response("400 Bad Request", #"{"error":"slow_down","error_description":"Slow down"}"#), 10),
        ],
        denied: Response(
            "400 Bad Request",
            #"{"error":"access_denied","error_description":"The end user denied the authorization request"}"#),
        tokens: Response(
            "200 OK",
            #"""
            {"access_token":"access-1","expires_in":300,"refresh_expires_in":0,"refresh_token":"refresh-1",
             "token_type":"Bearer","id_token":"ID_TOKEN","not-before-policy":0,"session_state":"s",
             "scope":"openid offline_access email profile"}
            """#), scope: ["openid", "offline_access", "email", "profile"], lifetime: 300,
        refreshed: Response(
            "200 OK",
            #"""
            {"access_token":"access-2","expires_in":300,"refresh_expires_in":0,"refresh_token":"refresh-2",
             "token_type":"Bearer","id_token":"ID_TOKEN","not-before-policy":0,"scope":"openid offline_access"}
            """#), redirectParameters: "&session_state=s&iss=ORIGIN/realms/demo")

    /// Deviation of Okta: rate limits are reported in a format that differs from OAuth errors
    /// (developer.okta.com/docs/guides/device-authorization-grant).
    private static let okta = VendorResponses(
        description: "Okta", issuer: "ORIGIN/oauth2/default",
        metadataPath: "/oauth2/default/.well-known/openid-configuration",
        metadata: metadata(
            issuer: "ORIGIN/oauth2/default", authorize: "/oauth2/default/v1/authorize",
            token: "/oauth2/default/v1/token", device: "/oauth2/default/v1/device/authorize",
            #","scopes_supported":["openid","profile","email","offline_access"]"#),
        identityIssuer: "ORIGIN/oauth2/default", moreClaims: #","ver":1,"amr":["pwd"]"#,
        device: Response(
            "200 OK",
            #"""
            {"device_code":"device-secret","user_code":"BDNGLBWP","verification_uri":"https://org.okta.example/activate",
             "verification_uri_complete":"https://org.okta.example/activate?user_code=BDNGLBWP","expires_in":600}
            """#), userCode: "BDNGLBWP", expiresIn: 600,
        pending: [
            (
                Response(
                    "400 Bad Request",
                    #"{"error":"authorization_pending","error_description":"The device authorization is pending."}"#
                ), 5
            ),
            (
                Response(
                    "429 Too Many Requests",
                    #"{"errorCode":"E0000047","errorSummary":"API call exceeded rate limit"}"#), 10
            ),
        ],
        denied: Response(
            "400 Bad Request",
            #"{"error":"access_denied","error_description":"The resource owner denied the request."}"#),
        tokens: Response(
            "200 OK",
            #"""
            {"token_type":"Bearer","expires_in":3600,"access_token":"access-1","scope":"openid offline_access profile",
             "refresh_token":"refresh-1","id_token":"ID_TOKEN"}
            """#), scope: ["openid", "offline_access", "profile"], lifetime: 3600,
        refreshed: Response(
            "200 OK",
            #"""
            {"token_type":"Bearer","expires_in":3600,"access_token":"access-2","scope":"openid offline_access profile",
             "refresh_token":"refresh-1","id_token":"ID_TOKEN"}
            """#), keepsRefreshToken: true)

    /// Deviations of Auth0: an issuer that ends in a slash, status 403 for pending requests, and status 429
    /// for `slow_down` (auth0.com/docs).
    private static let auth0 = VendorResponses(
        description: "Auth0", issuer: "ORIGIN/", metadataPath: "/.well-known/openid-configuration",
        metadata: metadata(
            issuer: "ORIGIN/", authorize: "/authorize", token: "/oauth/token", device: "/oauth/device/code",
            #","scopes_supported":["openid","profile","offline_access","email"]"#),
        identityIssuer: "ORIGIN/", moreClaims: #","sid":"s""#,
        device: Response(
            "200 OK",
            #"""
            {"device_code":"device-secret","user_code":"VTSC-PHTZ","verification_uri":"https://t.auth0.example/activate",
             "verification_uri_complete":"https://t.auth0.example/activate?user_code=VTSC-PHTZ","expires_in":900,"interval":5}
            """#), userCode: "VTSC-PHTZ", expiresIn: 900,
        pending: [
            (
                Response(
                    "403 Forbidden",
                    #"{"error":"authorization_pending","error_description":"User has yet to authorize device code."}"#
                ), 5
            ),
            (
                Response(
                    "429 Too Many Requests",
                    #"{"error":"slow_down","error_description":"You are polling faster than the specified interval."}"#
                ), 10
            ),
        ],
        denied: Response(
            "403 Forbidden",
            #"{"error":"access_denied","error_description":"User cancelled the confirmation prompt."}"#),
        tokens: Response(
            "200 OK",
            #"""
            {"access_token":"access-1","refresh_token":"refresh-1","id_token":"ID_TOKEN","expires_in":86400,
             "scope":"openid profile email offline_access","token_type":"Bearer"}
            """#), scope: ["openid", "profile", "email", "offline_access"], lifetime: 86_400,
        refreshed: Response(
            "200 OK",
            #"""
            {"access_token":"access-2","id_token":"ID_TOKEN","expires_in":86400,"scope":"openid","token_type":"Bearer"}
            """#), keepsRefreshToken: true)

    /// Characteristics of GitLab: `created_at` in addition to `expires_in`, no scope `offline_access`, and
    /// refresh tokens for a single use (docs.gitlab.com/api/oauth2).
    private static let gitLab = VendorResponses(
        description: "GitLab", issuer: "ORIGIN", metadataPath: "/.well-known/openid-configuration",
        metadata: metadata(
            issuer: "ORIGIN", authorize: "/oauth/authorize", token: "/oauth/token",
            device: "/oauth/authorize_device",
            #","scopes_supported":["api","read_user","openid","profile","email"]"#),
        identityIssuer: "ORIGIN", moreClaims: #","sub_legacy":"a","auth_time":1779999000"#,
        device: Response(
            "200 OK",
            #"""
            {"device_code":"device-secret","user_code":"0A44L90H","verification_uri":"https://gitlab.example/oauth/device",
             "verification_uri_complete":"https://gitlab.example/oauth/device?user_code=0A44L90H","expires_in":300,"interval":5}
            """#), userCode: "0A44L90H", expiresIn: 300,
        pending: [
            (
                Response(
                    "400 Bad Request",
                    #"{"error":"authorization_pending","error_description":"The authorization request is still pending."}"#
                ), 5
            )
        ],
        denied: Response(
            "400 Bad Request",
            #"{"error":"access_denied","error_description":"The resource owner denied the request."}"#),
        tokens: Response(
            "200 OK",
            #"""
            {"access_token":"access-1","token_type":"Bearer","expires_in":7200,"refresh_token":"refresh-1",
             "scope":"openid profile email","created_at":1780000000,"id_token":"ID_TOKEN"}
            """#), scope: ["openid", "profile", "email"], lifetime: 7200,
        refreshed: Response(
            "200 OK",
            #"""
            {"access_token":"access-2","token_type":"Bearer","expires_in":7200,"refresh_token":"refresh-2",
             "scope":"openid profile email","created_at":1780007200}
            """#))

    /// Deviations of GitHub: form-encoded responses, errors with status 200, the new interval in a
    /// `slow_down` response, scopes separated by commas, tokens that do not expire, and no ID tokens
    /// (docs.github.com/apps/oauth-apps).
    private static let gitHub = VendorResponses(
        description: "GitHub", issuer: "ORIGIN/login/oauth",
        metadataPath: "/.well-known/oauth-authorization-server/login/oauth",
        metadata: metadata(
            issuer: "ORIGIN/login/oauth", authorize: "/login/oauth/authorize",
            token: "/login/oauth/access_token", device: "/login/device/code",
            #","scopes_supported":["repo","gist","read:user"],"code_challenge_methods_supported":["S256"]"#),
        device: .form(
            "device_code=device-secret&expires_in=899&interval=5&user_code=WDJB-MJHT"
                + "&verification_uri=https%3A%2F%2Fgithub.com%2Flogin%2Fdevice"),
        userCode: "WDJB-MJHT", expiresIn: 899,
        pending: [
            (
                .form(
                    "error=authorization_pending&error_description=The+authorization+request+is+still+pending."
                ), 5
            ),
            (
                Response(
                    "200 OK",
                    #"{"error":"slow_down","error_description":"Too many requests have been made.","interval":15}"#
                ), 15
            ),
        ], denied: .form("error=access_denied&error_description=The+authorization+request+was+denied."),
        tokens: .form("access_token=access-1&scope=repo%2Cgist&token_type=bearer&refresh_token="),
        scope: ["repo", "gist"])
}
