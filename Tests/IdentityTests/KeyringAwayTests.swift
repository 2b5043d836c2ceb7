import Config
import CutieAPI
import Glibc
import Reasons
import TestSupport
import Testing

@testable import Identity

@Suite struct `Secrets while the keyring is unavailable` {
    @Test func `Without a keyring service, secrets are stored in the file`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { _, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
                let place = await store.resolveLocation()
                #expect(place.kind == .plainFile)
                #expect(place.problem?.english.contains("no secret service answers") == true)
            }
        }
    }

    @Test func `Without a keyring service, secrets are refused if the configuration requires the keyring`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { _, state in
                let store = SecretStore(.secretService, at: state)
                let refused = await failure { () throws(SecretFailure) in
                    try await store.store(Secret("tok-1"), as: .token())
                }
                let entries = try state.entries()
                #expect(refused?.code == .unavailable && entries.isEmpty)
            }
        }
    }

    @Test
    func `Existing secrets are unavailable after the keyring exits, and new secrets are stored in the file`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await keyring.stop()
                let missing = await failure { () throws(SecretFailure) in
                    _ = try await store.findSecret(named: .token())
                }
                #expect(missing?.code == .unavailable)
                try await store.store(Secret("tok-2"), as: .token())
                #expect(try await store.findSecret(named: .token()) == Secret("tok-2"))
                // The file contains a newer secret than the keyring, so the secret from the file must replace
                // it.
                try await keyring.restart()
                #expect(try await store.findSecret(named: .token()) == Secret("tok-2"))
                #expect(try state.entries() == [.token(): .inService])
                #expect(try await store.findSecret(named: .token()) == Secret("tok-2"))
            }
        }
    }

    @Test
    func `A secret in the file is reported as waiting for the keyring only while a keyring is available`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                try await keyring.stop()
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                let place = await store.resolveLocation()
                #expect(place.kind == .plainFile && place.waiting == 0 && place.problem != nil)
                try await keyring.restart()
                #expect(await store.resolveLocation().waiting == 1)
            }
        }
    }

    @Test func `A secret that is deleted while the keyring is unavailable is removed from the keyring later`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await keyring.stop()
                try await store.deleteSecret(named: .token())
                #expect(try await store.findSecret(named: .token()) == nil)
                #expect(await store.resolveLocation().waiting == 1)
                try await keyring.restart()
                try await store.moveSecretsToConfiguredLocation()
                #expect(try await !keyring.search("account", "default").contains("dG9rLTE="))
                #expect(try state.entries().isEmpty)
            }
        }
    }

    @Test func `A locked keyring is treated as unavailable and not as empty`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await keyring.lock()
                let locked = await failure { () throws(SecretFailure) in
                    _ = try await store.findSecret(named: .token())
                }
                #expect(locked?.code == .unavailable)
                #expect(locked?.description.contains("unlock it") == true)
                #expect(await store.resolveLocation().problem?.english.contains("locked") == true)
                try await keyring.stop()
                try await keyring.restart()
                #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
            }
        }
    }

    @Test func `If the user does not answer a keyring prompt, the prompt times out and is not shown again`()
        async
    {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await keyring.lock()
                try await keyring.blockPrompts()
                let withoutRetries = SecretStore(.auto, at: state, promptLimit: .milliseconds(200))
                for sentence in ["does not respond", "is locked"] {
                    let given = await failure { () throws(SecretFailure) in
                        _ = try await withoutRetries.findSecret(named: .token())
                    }
                    #expect(given?.code == .unavailable)
                    #expect(given?.description.contains(sentence) == true)
                }
            }
        }
    }

    @Test func `A cancelled task stops waiting for the keyring's prompt`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await keyring.lock()
                try await keyring.blockPrompts()
                let task = Task {
                    await failure { () throws(SecretFailure) in
                        _ = try await store.findSecret(named: .token())
                    }
                }
                task.cancel()
                #expect(await task.value?.code == .cancelled)
            }
        }
    }

    @Test func `A keyring that does not respond causes only one delay`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, state in
                let service = try await Keyring.startHangingService(on: bus)
                let store = SecretStore(
                    .auto, at: state, limit: .milliseconds(200), promptLimit: .milliseconds(200))
                try await store.store(Secret("tok-1"), as: .token())
                #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
                #expect(await store.resolveLocation().problem?.english.contains("does not respond") == true)
                try await service.killProcess()
            }
        }
    }
}
