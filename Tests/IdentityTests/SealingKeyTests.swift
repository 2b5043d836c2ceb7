import Config
import CutieAPI
import TestSupport
import Testing

@testable import Identity

/// Tests of encrypting values that the database stores.
struct SealingKeyTests {
    private let directory: TemporaryDirectory
    private let store: SecretStore
    private let name: SecretName

    init() throws {
        directory = try TemporaryDirectory()
        store = try SecretStore(.file, directory: directory.path, environment: [:])
        name = SecretName(
            account: "me", address: try APIAddress("https://a.example"), type: .sealingKey,
            subject: "services")
    }

    @Test func `Encrypted data can be decrypted with the same key and context, even after a restart`()
        async throws
    {
        let key = try await SealingKey(loadingOrCreating: name, in: store)
        let sealed = try #require(key.encrypt(Secret([1, 2, 3]), authenticating: [7]))
        let again = try SecretStore(.file, directory: directory.path, environment: [:])
        #expect(
            try await SealingKey(loadingOrCreating: name, in: again).decrypt(sealed, authenticating: [7])
                == Secret([1, 2, 3]))
    }

    @Test func `Decryption fails with another context, another key or a modified byte`()
        async throws
    {
        let key = try await SealingKey(loadingOrCreating: name, in: store)
        let sealed = try #require(key.encrypt(Secret([1, 2, 3]), authenticating: [7]))
        #expect(
            key.decrypt(sealed, authenticating: [8]) == nil && key.decrypt(sealed, authenticating: []) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key.decrypt(changed, authenticating: [7]) == nil, "byte \(index)")
        }
        #expect(
            key.decrypt(Array(sealed.prefix(27)), authenticating: [7]) == nil
                && key.decrypt([], authenticating: [7]) == nil)
        var other = name
        other.subject = "else"
        #expect(
            try await SealingKey(loadingOrCreating: other, in: store).decrypt(sealed, authenticating: [7])
                == nil)
    }

    @Test func `Encrypting the same data twice yields different results`() async throws {
        let key = try await SealingKey(loadingOrCreating: name, in: store)
        #expect(key.encrypt(Secret([1]), authenticating: []) != key.encrypt(Secret([1]), authenticating: []))
    }

    @Test func `The assertion key of a user is created only once`() async throws {
        var name = name
        name.type = .assertionKey
        let first = try await AssertionKey.findOrCreateKey(named: name, in: store)
        let second = try await AssertionKey.findOrCreateKey(named: name, in: store)
        #expect(first.publicKey == second.publicKey)
        let signature = try await second.sign([1])
        #expect(Digest.isValidSignature(signature, for: [1], publicKey: first.publicKey))
    }
}
