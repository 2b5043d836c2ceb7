import Accounts
import FoundationEssentials
import Identity
import OAuth

/// Signs assertions for one user, with the key that is registered at services.
struct AssertionSigner {
    let key: JSONWebKey
    private let signer: any Signer

    init(for person: ServiceUser, secrets: SecretStore) async throws {
        let name = SecretName(
            account: person.account.name, address: person.account.address, type: .assertionKey,
            subject: person.subject)
        signer = try await AssertionKey.findOrCreateKey(named: name, in: secrets)
        guard let key = JSONWebKey(subjectPublicKeyInfo: signer.publicKey) else {
            throw AccessFailure.refused("the key for assertions cannot be used")
        }
        self.key = key
    }

    func sign(_ assertion: Assertion) async throws -> String {
        let signature = try await signer.sign(assertion.signingInput)
        guard let text = assertion.makeJWT(signature: signature) else {
            throw AccessFailure.refused("the key for assertions cannot be used")
        }
        return text
    }

    /// Returns a unique ID, because each assertion is single-use.
    static func makeID() -> String { UUID().uuidString.lowercased() }
}
