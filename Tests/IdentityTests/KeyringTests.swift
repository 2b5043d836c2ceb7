import CutieAPI
import Glibc
import TestSupport
import Testing

@testable import Identity

@Suite struct `Secrets and a real keyring` {
    @Test func `A secret goes into the keyring and is found there`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.keep(Secret("tok-1"), as: .token())
                #expect(try await store.secret(.token()) == Secret("tok-1"))
                #expect(try state.entries() == [.token(): .inService])
                let seen = try await keyring.search("account", "default")
                #expect(seen.contains("dG9rLTE="))  // tok-1 in base64
                #expect(seen.contains("label = cutied: device-token of default at https://api.cuti-e.com"))
                #expect(await store.describe().kind == .secretService)
            }
        }
    }

    @Test func `Another origin finds nothing in the keyring`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.secretService, at: state)
                try await store.keep(Secret("tok-1"), as: .token())
                #expect(try await store.secret(.token(at: "https://api.cuti-e.com:444")) == nil)
                #expect(try await store.secret(.token("other")) == nil)
            }
        }
    }

    @Test func `A new value takes the place of the old one`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.keep(Secret("tok-1"), as: .token())
                try await store.keep(Secret("tok-2"), as: .token())
                #expect(try await store.secret(.token()) == Secret("tok-2"))
                let seen = try await keyring.search("account", "default")
                #expect(!seen.contains("dG9rLTE="))
            }
        }
    }

    @Test func `A deleted secret is gone from the keyring`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let store = SecretStore(.auto, at: state)
                try await store.keep(Secret("tok-1"), as: .token())
                try await store.delete(.token())
                #expect(try await store.secret(.token()) == nil)
                #expect(try state.entries().isEmpty)
                #expect(try await !keyring.search("account", "default").contains("dG9rLTE="))
            }
        }
    }

    @Test func `Bytes that are no text come back`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.auto, at: state)
                let secret = Secret(Array(0...255))
                try await store.keep(secret, as: .token())
                #expect(try await store.secret(.token()) == secret)
            }
        }
    }

    @Test func `What the file lost is discovered in the keyring`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.auto, at: state)
                try await store.keep(Secret("tok-1"), as: .token())
                unlink(state.path)
                #expect(try await store.secret(.token()) == Secret("tok-1"))
                #expect(try state.entries() == [.token(): .inService])
            }
        }
    }

    @Test func `What the person deleted from the keyring is gone`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { _, state in
                let store = SecretStore(.auto, at: state)
                try state.file.write(SecretEntries(byName: [.token(): .inService]))
                #expect(try await store.secret(.token()) == nil)
                #expect(try state.entries().isEmpty)
            }
        }
    }
}
