import CutieAPI

/// A statement signed with ES256 in the form of RFC 7519, which a token endpoint takes (RFC 7523).
public struct Assertion: Sendable {
    /// The claims as JSON, in the order of their names.
    private let claims: [UInt8]
    /// Of the key, as RFC 7517 has it; nil: the server knows it.
    private let keyID: String?

    public init(_ claims: some Encodable, keyID: String? = nil) throws {
        self.claims = try JSON.encode(claims)
        self.keyID = keyID
    }

    /// What is signed: the bytes of two parts with a full stop between.
    public var signingInput: [UInt8] {
        let header =
            keyID.map { ["alg": "ES256", "kid": $0, "typ": "JWT"] } ?? ["alg": "ES256", "typ": "JWT"]
        // Text always has a JSON form.
        let bytes = (try? JSON.encode(header)) ?? []
        return Array((Base64URL.text(of: bytes) + "." + Base64URL.text(of: claims)).utf8)
    }

    /// The whole, with a signature as keys make it: ECDSA over SHA-256, DER. nil where that is none of P-256.
    public func text(signature: [UInt8]) -> String? {
        Self.fixedLength(signature).map {
            String(decoding: signingInput, as: UTF8.self) + "." + Base64URL.text(of: $0)
        }
    }

    /// RFC 7518 §3.4 wants the two numbers with 32 bytes each, and not DER's SEQUENCE of two INTEGERs.
    static func fixedLength(_ der: [UInt8]) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count,
            let r = number(&rest), let s = number(&rest), rest.isEmpty
        else { return nil }
        return r + s
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let length = rest.popFirst(), (1...33).contains(length),
            rest.count >= length
        else { return nil }
        let digits = rest.prefix(Int(length)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(length))
        return digits.count > 32 ? nil : Array(repeating: 0, count: 32 - digits.count) + digits
    }
}
