import AttestationFormat
import Crypto
import Foundation

extension AttestationVerifier {
    /// With swift-crypto.
    static let swiftCrypto = AttestationVerifier(
        sha256: { Array(SHA256.hash(data: $0)) },
        isSignature: { signed in
            guard let key = try? P256.Signing.PublicKey(derRepresentation: signed.key),
                let signature = try? P256.Signing.ECDSASignature(derRepresentation: signed.signature)
            else { return false }
            return key.isValidSignature(signature, for: signed.message)
        })
}
