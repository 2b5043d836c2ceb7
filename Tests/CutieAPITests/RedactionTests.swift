import CutieAPI
import Testing

struct RedactionTests {
    private let secrets = Redaction(["cutie_dt_5f1d0c7e9ab2", "a/b+c/d+e/f=", "short"])

    @Test(
        arguments: [
            ("token cutie_dt_5f1d0c7e9ab2 is unknown", "token (secret) is unknown"),
            ("cutie_dt_5f1d0c7e9ab2cutie_dt_5f1d0c7e9ab2", "(secret)(secret)"),
            ("it ends with cutie_dt_5f1d", "it ends with (secret)"),
            ("a%2Fb%2Bc%2Fd%2Be%2Ff%3D", "(secret)"), (#"a\/b+c\/d+e\/f="#, "(secret)"),
            ("cutie_dt_", "cutie_dt_"), ("a short word", "a short word"), ("Grüße 👋", "Grüße 👋"), ("", ""),
        ])
    func `A secret is redacted in every encoding, and other text is unchanged`(_ text: String, _ rest: String)
    {
        #expect(secrets.redactingSecrets(in: text) == rest)
    }

    @Test func `A secret that truncation would split is redacted completely`() {
        let filling = String(repeating: "x", count: 290)
        let body = #"{"error":"\#(filling) cutie_dt_5f1d0c7e9ab2","code":"cutie_dt_5f1d0c7e9ab2"}"#
        let error = APIError(status: 400, body: body.utf8, hiding: secrets)
        #expect(error.text?.contains("cutie_dt") == false)
        #expect(error.code == nil)
    }

    @Test func `The secrets in the headers, body and path of a request are redacted`() {
        let token: LinkToken = "cutie_lt_0123456789"
        let headers = [
            APIRequest.Header(name: HeaderName.deviceToken, value: "cutie_dt_0123456789"),
            .init(name: HeaderName.apiKey, value: "legacy_key_0123456789"),
            .init(name: HeaderName.deviceID, value: "device_0123456789"),
        ]
        let confirm = Endpoint.confirmLink(.init(linkToken: token)).request.redaction(
            includingSecretsIn: headers)
        let text = "cutie_lt_0123456789 cutie_dt_0123456789 legacy_key_0123456789 device_0123456789"
        #expect(confirm.redactingSecrets(in: text) == "(secret) (secret) (secret) device_0123456789")
        let status = Endpoint.linkStatus(of: token).request.redaction(includingSecretsIn: [])
        #expect(status.redactingSecrets(in: text).hasPrefix("(secret) cutie_dt"))
    }
}
