public import AttestationFormat
public import CutieAPI

/// The key a device attests with: what is sent of it, and what is signed by it.
public struct AttestationKey: Sendable {
    /// Lower-case hexadecimal SHA-256 of the SubjectPublicKeyInfo.
    public let id: String
    public var environment: AttestationEnvironment { signer.environment }
    private let signer: any Signer

    /// Bytes of a challenge. A TPM hashes 1024 at once.
    public static let challengeLimit = 512

    public init(_ signer: any Signer) {
        self.signer = signer
        id = AttestationObject.keyID(of: signer.publicKey, sha256: Digest.sha256)
    }

    /// The answer to `challenge`. Throws `refused` also where the challenge is longer than any server's.
    public func submission(
        for challenge: Attestation.Challenge
    ) async throws(SigningFailure) -> Attestation.Submission {
        guard challenge.challenge.utf8.count <= Self.challengeLimit else {
            throw SigningFailure(.refused, "the server's challenge is too long; look at its address")
        }
        let clientData = Array(challenge.clientData(keyID: id).utf8)
        let signature = try await signer.signature(of: clientData)
        let quote = try await signer.quote(over: Digest.sha256(clientData))
        let object = AttestationObject(
            environment: environment, key: signer.publicKey, signature: signature, quote: quote)
        return Attestation.Submission(keyID: id, attestation: object.base64)
    }

    /// What `X-App-Assertion` carries for `subject`.
    ///
    /// `nextCounter` returns a number that it has never returned for this key, kept durably before it
    /// returns: a counter used twice is a replay to the server.
    public func assertion(
        about subject: AssertionSubject, nextCounter: () async throws -> UInt64
    ) async throws -> String {
        let counter = try await nextCounter()
        let message = subject.message(counter: counter, sha256: Digest.sha256)
        let signature = try await signer.signature(of: message)
        return AssertionObject(keyID: id, counter: counter, signature: signature).base64
    }
}

extension AttestationVerifier {
    /// With OpenSSL.
    public static let openSSL = AttestationVerifier(
        sha256: { Digest.sha256($0) },
        isSignature: { Digest.isSignature($0.signature, of: $0.message, by: $0.key) })
}
