import CutieAPI
import Testing

@testable import OAuth

struct KeySetTests {
    private func keys(_ text: String) throws -> [KeySet.Key] {
        try KeySet(json: Array(#"{"keys":[\#(text)]}"#.utf8)).keys
    }

    private static let modulus = Base64URL.encode([0xB5] + Array(repeating: 0x11, count: 255))
    private static let point = Base64URL.encode(Array(repeating: 7, count: 32))

    private func rsa(_ more: String = "", modulus: String = modulus) -> String {
        #"{"kty":"RSA","kid":"r","n":"\#(modulus)","e":"AQAB"\#(more)}"#
    }

    private func ec(_ more: String = "", curve: String = "P-256") -> String {
        #"{"kty":"EC","kid":"e","crv":"\#(curve)","x":"\#(Self.point)","y":"\#(Self.point)"\#(more)}"#
    }

    @Test func `Signing keys in a key set are decoded, and other keys are ignored`() throws {
        let keys = try keys(
            [
                rsa(), rsa(#","use":"enc""#), rsa(#","alg":"RS512""#), rsa(modulus: "AQAB"), ec(),
                ec(#","use":"sig","alg":"ES256""#), ec(curve: "P-384"), #"{"kty":"oct","k":"c2VjcmV0"}"#, "7",
                "{}", #"{"kty":"RSA"}"#,
            ].joined(separator: ","))
        #expect(keys.map(\.algorithm) == [.rs256, .es256, .es256])
        #expect(keys.map(\.id) == ["r", "e", "e"])
    }

    /// The expected value is the DER encoding that `openssl rsa -pubout` writes (RFC 8017 and RFC 5280).
    @Test func `An RSA key is converted to a SubjectPublicKeyInfo`() throws {
        let info = try #require(try keys(rsa()).first).subjectPublicKeyInfo
        let head: [UInt8] = [
            0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01,
            0x01, 0x05,
            0x00, 0x03, 0x82, 0x01, 0x0F, 0x00, 0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00, 0xB5,
            0x11,
        ]
        #expect(Array(info.prefix(head.count)) == head)
        #expect(Array(info.suffix(5)) == [0x02, 0x03, 0x01, 0x00, 0x01])
        #expect(info.count == 294)
    }

    @Test(arguments: [
        (#"{"alg":"RS256","kid":"r"}"#, 1), (#"{"alg":"RS256"}"#, 1), (#"{"alg":"RS256","kid":"other"}"#, 0),
        (#"{"alg":"ES256","kid":"r"}"#, 0), (#"{"alg":"ES256","kid":"e"}"#, 1),
    ])
    func `The key that an ID token names verifies the token only if the algorithms of key and token match`(
        header: String, count: Int
    )
        throws
    {
        let parts = [header, #"{"iss":"i","sub":"s","aud":"c","exp":1,"iat":1}"#, "s"]
        let token = try IDToken(parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: "."))
        let set = try KeySet(json: Array(#"{"keys":[\#(rsa()),\#(ec())]}"#.utf8))
        #expect(set.candidateKeys(for: token).count == count)
    }

    @Test(arguments: ["", "<html>", "{}", #"{"keys":7}"#])
    func `An invalid key set is rejected`(json: String) {
        #expect(throws: UnreadableJSON.self) { try KeySet(json: Array(json.utf8)) }
    }
}
