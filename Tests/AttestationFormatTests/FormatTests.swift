import AttestationFormat
import CutieAPI
import Testing

/// Returns the message to be signed. Uses the identity function as the hash function, so that the message
/// contains the hashed bytes themselves in hexadecimal.
private func message(of subject: AssertionSubject, counter: UInt64) -> String {
    String(decoding: subject.messageToSign(counter: counter) { $0 }, as: UTF8.self)
}

private func hexadecimal(_ text: String) -> String {
    text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

@Suite struct `Attestation formats` {
    @Test func `An assertion about a request covers the HTTP method, target, body and device ID`() {
        let subject = AssertionSubject.request(
            method: "POST", target: "/v1/conversations", body: Array("{}".utf8), device: "device_1")
        let hashed = hexadecimal("request\nPOST\n/v1/conversations\n7b7d\ndevice_1")
        #expect(message(of: subject, counter: 7) == "cutied-assertion-1\n7\n" + hashed)
    }

    @Test func `An assertion about client data is not valid as an assertion about a request`() {
        let hashed = hexadecimal("client-data\nx|y")
        #expect(
            message(of: .clientData("x|y"), counter: .max) == "cutied-assertion-1\n\(UInt64.max)\n\(hashed)")
    }

    @Test func `The assertion subject of a request contains the bytes that are sent`() {
        let request = Endpoint.attestationStatus().request
        let expected = AssertionSubject.request(
            method: "GET", target: "/v1/device/attest/status", body: [], device: "device_1")
        #expect(AssertionSubject(request, device: "device_1") == expected)
    }

    @Test func `An attestation object is unchanged after it is encoded in base64 and decoded`() throws {
        let object = AttestationObject(
            environment: .tpm2, key: [1, 2], signature: [3], quote: .init(attested: [4], signature: [5]))
        #expect(try AttestationObject(base64: object.base64) == object)
        let assertion = AssertionObject(keyID: "ab", counter: .max, signature: [1])
        #expect(try AssertionObject(base64: assertion.base64) == assertion)
    }

    @Test func `An attestation object of the wrong kind or of an unknown format version is rejected`() {
        let assertion = AssertionObject(keyID: "ab", counter: 1, signature: [1])
        #expect(throws: AttestationRefusal.malformed) { try AttestationObject(base64: assertion.base64) }
        var newer = assertion
        newer.format = "cutied-assertion-2"
        #expect(throws: AttestationRefusal.malformed) { try AssertionObject(base64: newer.base64) }
    }
}
