import Config
import Synchronization
import TestSupport
import Testing

@testable import Identity

/// A fake keyring in memory, which can be locked.
private final class MemoryKeyring: KeyringBackend {
    private struct State {
        var secrets: [SecretName: Secret] = [:]
        var isLocked = false
    }

    private let state = Mutex(State())

    var secrets: [SecretName: Secret] { state.withLock(\.secrets) }

    func setLocked(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

    func checkAvailability(options: KeyringCallOptions) throws(KeyringProblem) { _ = try unlocked() }

    func lookUpSecret(named name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) -> Secret {
        guard let secret = try unlocked()[name] else { throw .absent }
        return secret
    }

    func store(
        _ secret: Secret, as name: SecretName, options: KeyringCallOptions
    ) throws(KeyringProblem) {
        _ = try unlocked()
        state.withLock { $0.secrets[name] = secret }
    }

    func deleteSecret(named name: SecretName, options: KeyringCallOptions) throws(KeyringProblem) {
        _ = try unlocked()
        state.withLock { $0.secrets[name] = nil }
    }

    private func unlocked() throws(KeyringProblem) -> [SecretName: Secret] {
        let (secrets, isLocked) = state.withLock { ($0.secrets, $0.isLocked) }
        if isLocked { throw .locked }
        return secrets
    }
}

/// Tests of the rules of the secret store, with a fake keyring instead of the Secret Service.
@Suite struct KeyringBackendTests {
    private let keyring = MemoryKeyring()
    private let state: StateDirectory

    init() throws { state = try StateDirectory() }

    @Test func `A secret is stored in the keyring, loaded by the next run, and can be deleted`() async throws
    {
        try await SecretStore(.auto, state.file, keyring: keyring).store(Secret("token"), as: .token())
        #expect(keyring.secrets == [.token(): Secret("token")])
        #expect(try state.entries() == [.token(): .inService])
        let next = SecretStore(.auto, state.file, keyring: keyring)
        #expect(try await next.findSecret(named: .token()) == Secret("token"))
        try await next.deleteSecret(named: .token())
        #expect(keyring.secrets.isEmpty)
        #expect(try await next.findSecret(named: .token()) == nil)
    }

    @Test
    func `While the keyring is locked, secrets are stored in the file, and later moved into the keyring`()
        async throws
    {
        keyring.setLocked(true)
        let store = SecretStore(.auto, state.file, keyring: keyring)
        try await store.store(Secret("token"), as: .token())
        #expect(keyring.secrets.isEmpty)
        #expect(try await store.findSecret(named: .token()) == Secret("token"))
        keyring.setLocked(false)
        try await store.moveSecretsToConfiguredLocation()
        #expect(keyring.secrets == [.token(): Secret("token")])
        #expect(try state.entries() == [.token(): .inService])
    }

    @Test func `If the configuration selects the file, secrets are moved from the keyring to the file`()
        async throws
    {
        try await SecretStore(.auto, state.file, keyring: keyring).store(Secret("token"), as: .token())
        let store = SecretStore(.file, state.file, keyring: keyring)
        try await store.moveSecretsToConfiguredLocation()
        #expect(keyring.secrets.isEmpty)
        #expect(try await store.findSecret(named: .token()) == Secret("token"))
    }
}
