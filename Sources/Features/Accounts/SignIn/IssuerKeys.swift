import CutieAPI
import EventLog
import HTTP
import Identity
import OAuth
import Reasons

/// The public keys that verify the ID tokens of one account's issuer. Fetched when needed, and again if no
/// known key verifies a token.
final class IssuerKeys {
    private static let maxAttempts = 3

    private let account: Account
    private let httpClient: HTTPClient
    private let runtime: RuntimeEnvironment
    private var known: (address: EndpointURL, keys: KeySet)?

    init(of account: Account, httpClient: HTTPClient, runtime: RuntimeEnvironment) {
        (self.account, self.httpClient, self.runtime) = (account, httpClient, runtime)
    }

    /// Verifies the signature of `token`. Throws `IDToken.Problem.invalidSignature` if no key of the issuer
    /// signed it. `address`: the address of the key set. If the issuer publishes no key set (`nil`), the TLS
    /// connection to the token endpoint replaces the signature (OpenID Connect Core §3.1.3.7).
    func verify(_ token: IDToken, keysAt address: EndpointURL?) async throws {
        guard let address else { return }
        if let known, known.address == address, isSigned(token, by: known.keys) { return }
        let keys = try await fetchKeys(at: address)
        known = (address, keys)
        guard isSigned(token, by: keys) else { throw IDToken.Problem.invalidSignature }
    }

    private func isSigned(_ token: IDToken, by keys: KeySet) -> Bool {
        keys.candidateKeys(for: token).contains { key in
            switch key.algorithm {
            case .rs256:
                SignInCryptography.isValidRS256Signature(
                    token.signature, for: token.signedBytes, publicKey: key.subjectPublicKeyInfo)
            case .es256:
                SignInCryptography.isValidES256Signature(
                    token.signature, for: token.signedBytes, publicKey: key.subjectPublicKeyInfo)
            }
        }
    }

    /// Fetches the keys, with a few retries: the authorization code is single-use, so a failure would require
    /// a new sign-in.
    private func fetchKeys(at address: EndpointURL) async throws -> KeySet {
        for attempt in 1... {
            do throws(APIFailure) { return try await fetchKeysOnce(at: address) } catch {
                guard case .retry(_, let floor, _) = error, attempt < Self.maxAttempts else { throw error }
                try await runtime.sleep(for: max(.seconds(attempt), min(floor ?? .zero, .seconds(10))))
            }
        }
        throw APIFailure.cancelled
    }

    private func fetchKeysOnce(at address: EndpointURL) async throws(APIFailure) -> KeySet {
        var request = HTTPRequest(
            address.description, headers: HTTPHeaders([(HeaderName.accept, "application/json")]))
        request.responseLimit = KeySet.sizeLimit
        let response: HTTPResponse
        do {
            response = try await httpClient.send(request, policy: account.tlsPolicy(for: address.origin))
        } catch {
            throw APIFailure(error, hiding: Redaction(), from: .issuer)
        }
        guard response.status == 200 else {
            throw .retry(
                Reason(.issuerAnsweredForKeys, ["status": String(response.status)]), ambiguous: false)
        }
        do { return try KeySet(json: response.body) } catch {
            throw .retry(
                Reason(.issuerKeysUnreadable, reasons: ["message": Reason(describing: error)]),
                ambiguous: false)
        }
    }
}
