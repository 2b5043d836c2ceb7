import Config
import CutieAPI
import TestSupport
import Testing

@testable import Identity

@Suite struct `Moving secrets` {
    @Test func `Secrets are moved from the file into a keyring that has become available`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let before = SecretStore(.file, at: state)
                for number in 1...3 {
                    try await before.store(Secret("tok-\(number)"), as: .token("account-\(number)"))
                }
                let after = SecretStore(.auto, at: state)
                #expect(await after.resolveLocation().waiting == 3)
                try await after.moveSecretsToConfiguredLocation()
                #expect(await after.resolveLocation().waiting == 0)
                #expect(try state.entries().values.allSatisfy { $0 == .inService })
                for number in 1...3 {
                    #expect(
                        try await after.findSecret(named: .token("account-\(number)"))
                            == Secret("tok-\(number)"))
                }
                #expect(try await keyring.search("account", "account-3").contains("dG9rLTM="))
            }
        }
    }

    @Test func `If the configuration selects the file, secrets are moved from the keyring to the file`() async
    {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                try await SecretStore(.auto, at: state).store(Secret("tok-1"), as: .token())
                let after = SecretStore(.file, at: state)
                try await after.moveSecretsToConfiguredLocation()
                let expected = SecretEntry.inFile(Secret("tok-1"), isStaleInService: false)
                #expect(try state.entries() == [.token(): expected])
                #expect(try await !keyring.search("account", "default").contains("dG9rLTE="))
                #expect(await after.resolveLocation().waiting == 0)
            }
        }
    }

    @Test func `A secret in an unavailable keyring is moved as soon as the keyring is available`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                try await SecretStore(.auto, at: state).store(Secret("tok-1"), as: .token())
                try await keyring.stop()
                let after = SecretStore(.file, at: state)
                try await after.moveSecretsToConfiguredLocation()
                #expect(try state.entries() == [.token(): .inService])
                try await keyring.restart()
                #expect(try await after.findSecret(named: .token()) == Secret("tok-1"))
                #expect(try await !keyring.search("account", "default").contains("dG9rLTE="))
            }
        }
    }

    @Test func `Secrets remain in the keyring if the file cannot be written`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                try await SecretStore(.auto, at: state).store(Secret("tok-1"), as: .token())
                // A non-empty directory blocks the write even for root, which bypasses permission checks.
                let obstacle = state.path + ".new"
                try makeDirectory(obstacle + "/in-the-way")
                let refused = await failure { () throws(SecretFailure) in
                    try await SecretStore(.file, at: state).moveSecretsToConfiguredLocation()
                }
                #expect(refused?.code == .unwritable)
                #expect(try await keyring.search("account", "default").contains("dG9rLTE="))
                #expect(try state.entries() == [.token(): .inService])
            }
        }
    }
}
