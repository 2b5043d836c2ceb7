import Crypto
import CryptoExtras
import Foundation

/// A signature algorithm for ID tokens. OpenID Connect Discovery requires support for RS256.
public enum IDTokenAlgorithm: String, CaseIterable, Sendable, Codable {
    case rs256 = "RS256"
    case es256 = "ES256"
}

/// The RSA key that signs ID tokens, stored in the database. The key is generated on first use, because
/// generating an RSA key is slow.
actor RSAKey {
    private static let setting = "id_token_rsa_key"

    private let archive: Archive
    private var search: Task<Found, any Error>?

    init(in archive: Archive) { self.archive = archive }

    private struct Found: Sendable {
        let publicKey: PublicKey
        let key: _RSA.Signing.PrivateKey
    }

    var publicKey: PublicKey {
        get async throws { try await loadKey().publicKey }
    }

    func sign(_ claims: some Encodable & Sendable) async throws -> String {
        let found = try await loadKey()
        return try WebToken(claims, for: found.publicKey).signed { bytes in
            try found.key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
                .rawRepresentation
        }
    }

    private func loadKey() async throws -> Found {
        let search = search ?? Task { [archive] in try await Self.findOrCreateKey(in: archive) }
        self.search = search
        do { return try await search.value } catch {
            self.search = nil
            throw error
        }
    }

    private static func findOrCreateKey(in archive: Archive) async throws -> Found {
        let key: _RSA.Signing.PrivateKey
        if let kept = try await archive.read({ try $0.findSetting(setting) }) {
            do { key = try _RSA.Signing.PrivateKey(pemRepresentation: kept) } catch {
                throw SandboxError(.badDatabase, "the RSA key for ID tokens in the database cannot be read")
            }
        } else {
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let text = key.pemRepresentation
            try await archive.change { try $0.database.storeSetting(setting, value: text) }
        }
        return Found(publicKey: try PublicKey(key.publicKey), key: key)
    }
}
