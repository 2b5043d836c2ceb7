import CutieAPI

/// A JWT (RFC 7519) signed with ES256, used as an assertion at a token endpoint (RFC 7523).
public struct Assertion: Sendable {
    /// The claims as JSON with sorted keys.
    private let claims: [UInt8]
    /// The `kid` of the signing key; `nil` if the server does not require it.
    private let keyID: String?

    public init(_ claims: some Encodable, keyID: String? = nil) throws {
        self.claims = try JSON.encode(claims)
        self.keyID = keyID
    }

    /// The bytes to sign: the encoded header, a full stop, and the encoded claims.
    public var signingInput: [UInt8] {
        let header =
            keyID.map { ["alg": "ES256", "kid": $0, "typ": "JWT"] } ?? ["alg": "ES256", "typ": "JWT"]
        // Strings can always be encoded, so the fallback is never used.
        let bytes = (try? JSON.encode(header)) ?? []
        return Array((Base64URL.encode(bytes) + "." + Base64URL.encode(claims)).utf8)
    }

    /// Returns the complete JWT; `nil` if `signature` is not a P-256 ECDSA signature in DER.
    public func makeJWT(signature: [UInt8]) -> String? {
        Self.fixedLengthSignature(fromDER: signature).map {
            String(decoding: signingInput, as: UTF8.self) + "." + Base64URL.encode($0)
        }
    }

    /// Converts a signature from DER (a SEQUENCE of two INTEGERs) to the format of RFC 7518 §3.4, two numbers
    /// of 32 bytes each. Returns `nil` if `der` is invalid.
    static func fixedLengthSignature(fromDER der: [UInt8]) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count,
            let r = parseDERInteger(from: &rest), let s = parseDERInteger(from: &rest), rest.isEmpty
        else { return nil }
        return r + s
    }

    private static func parseDERInteger(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let length = rest.popFirst(), (1...33).contains(length),
            rest.count >= length
        else { return nil }
        let digits = rest.prefix(Int(length)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(length))
        return digits.count > 32 ? nil : Array(repeating: 0, count: 32 - digits.count) + digits
    }
}
