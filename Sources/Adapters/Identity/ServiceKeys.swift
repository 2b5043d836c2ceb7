import COpenSSL
import Reasons

/// An AES-256-GCM key in the secret store, which encrypts data in files that other programs can read.
public struct SealingKey: Sendable {
    private let key: Secret
    private static let size = 32

    /// Loads the key `name`. If the key does not exist, creates and stores it.
    public init(loadingOrCreating name: SecretName, in store: SecretStore) async throws(SecretFailure) {
        if let kept = try await store.findSecret(named: name), kept.bytes.count == Self.size {
            key = kept
            return
        }
        var bytes = [UInt8](repeating: 0, count: Self.size)
        guard copenssl_random(&bytes, bytes.count) else {
            throw SecretFailure(.unwritable, Reason(.randomFailed))
        }
        key = Secret(bytes)
        try await store.store(key, as: name)
    }

    /// Encrypts `plaintext` and authenticates `context` (associated data), which is not stored and must be
    /// the same for decryption. Returns `nil` if OpenSSL fails.
    public func encrypt(_ plaintext: Secret, authenticating context: [UInt8]) -> [UInt8]? {
        let bytes = plaintext.bytes
        var sealed = [UInt8](repeating: 0, count: bytes.count + Int(COPENSSL_SEAL_OVERHEAD))
        let isDone = context.withUnsafeBufferPointer {
            copenssl_seal(
                key.bytes, .init(bytes: $0.baseAddress, count: $0.count), bytes, bytes.count, &sealed)
        }
        return isDone ? sealed : nil
    }

    /// Decrypts `ciphertext`. Returns `nil` if the key or the context is wrong, or if the data was modified.
    public func decrypt(_ ciphertext: [UInt8], authenticating context: [UInt8]) -> Secret? {
        guard ciphertext.count >= Int(COPENSSL_SEAL_OVERHEAD) else { return nil }
        var plain = [UInt8](repeating: 0, count: ciphertext.count - Int(COPENSSL_SEAL_OVERHEAD))
        let isDone = context.withUnsafeBufferPointer {
            copenssl_unseal(
                key.bytes, .init(bytes: $0.baseAddress, count: $0.count), ciphertext, ciphertext.count, &plain
            )
        }
        return isDone ? Secret(plain) : nil
    }
}

/// The P-256 key that signs assertions for services. The key is a software key, because it belongs to the
/// user and not to the computer.
public enum AssertionKey {
    /// Loads the key `name`. If the key does not exist, creates and stores it. Throws `SecretFailure` or
    /// `SigningFailure`.
    public static func findOrCreateKey(named name: SecretName, in store: SecretStore) async throws
        -> any Signer
    {
        if let kept = try await store.findSecret(named: name), let signer = try? SoftwareSigner(kept) {
            return signer
        }
        let signer = try SoftwareSigner()
        try await store.store(signer.privateKey, as: name)
        return signer
    }
}
