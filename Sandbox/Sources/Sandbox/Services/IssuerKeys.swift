import Crypto
import CutieAPI
import Foundation
import FoundationNetworking

/// The public keys of a remote issuer. The keys are fetched on first use, and again when a key ID is unknown.
actor IssuerKeys: IssuerKeySource {
    /// The maximum size of a fetched document, in bytes.
    private static let sizeLimit = 256 << 10

    private let issuer: String
    private let session: URLSession
    private var known: [String: P256.Signing.PublicKey] = [:]

    init(issuer: String) {
        self.issuer = issuer
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 10
        session = URLSession(configuration: configuration)
    }

    func findKey(id: String) async throws -> P256.Signing.PublicKey? {
        if let key = known[id] { return key }
        known = try await fetchKeys()
        return known[id]
    }

    private struct Metadata: Decodable {
        let issuer: String
        let keys: String

        enum CodingKeys: String, CodingKey {
            case issuer
            case keys = "jwks_uri"
        }
    }

    private struct KeySet: Decodable {
        /// The usable keys of the issuer. Keys of unsupported types are ignored.
        let keys: [Entry]

        struct Entry: Decodable {
            let key: WebKey?

            init(from decoder: any Decoder) throws { key = try? WebKey(from: decoder) }
        }
    }

    private func fetchKeys() async throws -> [String: P256.Signing.PublicKey] {
        let metadata = try await fetchMetadata()
        let set = try JSON.decode(KeySet.self, from: try await fetchData(from: metadata.keys))
        let pairs = set.keys.compactMap { entry in
            entry.key?.id.flatMap { id in entry.key?.verifying.map { (id, $0) } }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Returns the issuer metadata from the path of RFC 8414, or from the path of OpenID Connect Discovery as
    /// a fallback.
    private func fetchMetadata() async throws -> Metadata {
        let document: Data
        do { document = try await fetchData(from: issuer + "/.well-known/oauth-authorization-server") } catch
        {
            document = try await fetchData(from: issuer + "/.well-known/openid-configuration")
        }
        let metadata = try JSON.decode(Metadata.self, from: document)
        guard metadata.issuer == issuer else {
            throw makeUnavailableError(reason: "it identifies itself as \(metadata.issuer)")
        }
        return metadata
    }

    private func fetchData(from address: String) async throws -> Data {
        guard let url = URL(string: address), ["http", "https"].contains(url.scheme) else {
            throw makeUnavailableError(reason: "\(address) is not an address")
        }
        let (data, response): (Data, URLResponse)
        do { (data, response) = try await session.data(from: url) } catch {
            throw makeUnavailableError(reason: "\(address): \(error.localizedDescription)")
        }
        guard (response as? HTTPURLResponse)?.statusCode == 200, data.count <= Self.sizeLimit else {
            throw makeUnavailableError(reason: "\(address) sent an unexpected response")
        }
        return data
    }

    private func makeUnavailableError(reason: String) -> Refusal {
        .oauthError("temporarily_unavailable", "the issuer's keys cannot be fetched: \(reason)", .unavailable)
    }
}
