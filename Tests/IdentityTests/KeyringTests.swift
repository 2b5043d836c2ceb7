import Config
import CutieAPI
import Glibc
import TestSupport
import Testing

@testable import Identity

@Suite struct `Secrets in a real keyring` {
    @Test func `A secret that is stored in the keyring can be loaded from it`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
                #expect(try state.entries() == [.token(): .inService])
                let seen = try await keyring.search("account", "default")
                #expect(seen.contains("dG9rLTE="))  // tok-1 in base64
                #expect(seen.contains("label = cutied: device-token of default at https://api.cuti-e.com"))
                #expect(await store.resolveLocation().kind == .secretService)
            }
        }
    }

    @Test func `A secret in the keyring is not returned for another origin or account`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.secretService, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                #expect(try await store.findSecret(named: .token(at: "https://api.cuti-e.com:444")) == nil)
                #expect(try await store.findSecret(named: .token("other")) == nil)
            }
        }
    }

    @Test func `Storing a new value replaces the old value in the keyring`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await store.store(Secret("tok-2"), as: .token())
                #expect(try await store.findSecret(named: .token()) == Secret("tok-2"))
                let seen = try await keyring.search("account", "default")
                #expect(!seen.contains("dG9rLTE="))
            }
        }
    }

    @Test func `A deleted secret is removed from the keyring`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                try await store.deleteSecret(named: .token())
                #expect(try await store.findSecret(named: .token()) == nil)
                #expect(try state.entries().isEmpty)
                #expect(try await !keyring.search("account", "default").contains("dG9rLTE="))
            }
        }
    }

    @Test func `A binary secret is preserved`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.auto, at: state)
                let secret = Secret(Array(0...255))
                try await store.store(secret, as: .token())
                #expect(try await store.findSecret(named: .token()) == secret)
            }
        }
    }

    @Test func `Secrets in the keyring are found even if the secrets file is deleted`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                unlink(state.path)
                #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
                #expect(try state.entries() == [.token(): .inService])
            }
        }
    }

    @Test func `A secret that the user deleted in the keyring is reported as missing`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.auto, at: state)
                try state.file.write(SecretEntries(byName: [.token(): .inService]))
                #expect(try await store.findSecret(named: .token()) == nil)
                #expect(try state.entries().isEmpty)
            }
        }
    }
}
