import CryptoExtras
import Foundation

/// An scrypt hash of a password, with a random salt.
struct PasswordHash: Sendable {
    /// The hash as text, in the format `scrypt$rounds$salt$key`. The salt and the key are encoded in base64.
    let text: String
    private let rounds: Int
    private let salt: Data
    private let key: Data

    /// Hashes a password. Needs almost 0.1 seconds of CPU time, which slows down brute-force attacks.
    @concurrent static func compute(from password: String) async throws -> PasswordHash {
        let salt = Data((0..<16).map { _ in UInt8.random(in: 0 ... .max) })
        return PasswordHash(
            rounds: usualRounds, salt: salt,
            key: try deriveHash(from: password, salt: salt, rounds: usualRounds))
    }

    /// Parses a stored hash. Returns `nil` if the format is invalid.
    init?(text: String) {
        let parts = text.split(separator: "$").map(String.init)
        guard parts.count == 4, parts[0] == "scrypt", let rounds = Int(parts[1]),
            let salt = Data(base64Encoded: parts[2]), let key = Data(base64Encoded: parts[3])
        else { return nil }
        self.init(rounds: rounds, salt: salt, key: key)
    }

    private init(rounds: Int, salt: Data, key: Data) {
        (self.rounds, self.salt, self.key) = (rounds, salt, key)
        text = "scrypt$\(rounds)$\(salt.base64EncodedString())$\(key.base64EncodedString())"
    }

    @concurrent func matches(_ password: String) async throws -> Bool {
        let other = try Self.deriveHash(from: password, salt: salt, rounds: rounds)
        // Compare in constant time, so that the time does not reveal how many bytes are correct.
        return zip(key, other).reduce(key.count == other.count ? 0 : 1) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static let usualRounds = 1 << 14

    private static func deriveHash(from password: String, salt: Data, rounds: Int) throws -> Data {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: rounds, blockSize: 8,
            parallelism: 1)
        return key.withUnsafeBytes { Data($0) }
    }
}
