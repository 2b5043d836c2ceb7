import COpenSSL
import CutieAPI
import FoundationEssentials
import Reasons

/// The encrypted secrets file. The encryption key is derived from a systemd credential.
struct SealedSecrets: Codable {
    static let format = "cutied-secrets-sealed-1"
    private static let purpose = "cutied secrets file 1"

    private let format: String
    private let salt: Data
    /// A check value that is derived from the credential. If this value does not match, the credential is
    /// wrong; if the value matches, a decryption failure means that the file is corrupt.
    private let check: Data
    private let sealed: Data

    init(_ plain: [UInt8], under credential: SealingCredential) throws(SecretFailure) {
        var salt = [UInt8](repeating: 0, count: 16)
        let derived = copenssl_random(&salt, salt.count) ? Self.deriveKeys(from: credential, salt: salt) : nil
        var sealed = [UInt8](repeating: 0, count: plain.count + Int(COPENSSL_SEAL_OVERHEAD))
        guard let derived, copenssl_seal(derived.key, .init(), plain, plain.count, &sealed) else {
            throw SecretFailure(.unwritable, Reason(.encryptionFailed))
        }
        format = Self.format
        self.salt = Data(salt)
        check = derived.check
        self.sealed = Data(sealed)
    }

    enum Problem: Error {
        case damaged, otherCredential
    }

    func decrypt(with credential: SealingCredential) throws(Problem) -> [UInt8] {
        let overhead = Int(COPENSSL_SEAL_OVERHEAD)
        guard format == Self.format, sealed.count >= overhead,
            let derived = Self.deriveKeys(from: credential, salt: Array(salt))
        else { throw .damaged }
        guard derived.check == check else { throw .otherCredential }
        var plain = [UInt8](repeating: 0, count: sealed.count - overhead)
        guard copenssl_unseal(derived.key, .init(), Array(sealed), sealed.count, &plain) else {
            throw .damaged
        }
        return plain
    }

    private static func deriveKeys(from credential: SealingCredential, salt: [UInt8]) -> (
        key: [UInt8], check: Data
    )? {
        var derived = [UInt8](repeating: 0, count: 40)
        let bytes = credential.bytes
        guard
            copenssl_hkdf(bytes, bytes.count, salt, salt.count, purpose, &derived, derived.count)
        else { return nil }
        return (Array(derived[..<32]), Data(derived[32...]))
    }
}

/// The systemd credential that encrypts the secrets file.
struct SealingCredential: Hashable, Sendable {
    let bytes: [UInt8]

    /// Reads the credential `cutied` from `$CREDENTIALS_DIRECTORY`. Returns `nil` if there is no credential.
    init?(environment: [String: String]) throws(SecretFailure) {
        guard let directory = environment["CREDENTIALS_DIRECTORY"], directory.hasPrefix("/") else {
            return nil
        }
        let path = directory + "/cutied"
        guard let bytes = try Self.readCredential(at: path) else { return nil }
        guard (16...4096).contains(bytes.count) else {
            throw SecretFailure(.unreadable, Reason(.credentialSizeInvalid, ["path": path]))
        }
        self.bytes = bytes
    }

    private static func readCredential(at path: String) throws(SecretFailure) -> [UInt8]? {
        do throws(RegularFile.FileFailure) {
            return try RegularFile.read(path, sizeLimit: 4096)?.bytes
        } catch {
            throw SecretFailure(
                .unreadable, Reason(.credentialUnreadable, ["path": path, "detail": error.detail]))
        }
    }

    init(bytes: [UInt8]) { self.bytes = bytes }
}
