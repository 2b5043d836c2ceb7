import Config
import CutieAPI
import Foundation
import Glibc
import Reasons
import TestSupport
import Testing

@testable import Identity

@Suite struct `The keyring helper` {
    /// A script that stores the helper's arguments and environment in a file before it runs the helper.
    private static let observer = """
        #!/bin/sh
        tr '\\0' '\\n' </proc/$$/cmdline >>"$0.seen"
        tr '\\0' '\\n' </proc/$$/environ >>"$0.seen"
        exec "$CUTIED_UNDER_TEST" "$@"
        """

    @Test func `The arguments and the environment of the helper contain no secret`() async {
        await #expect(processExitsWith: .success) {
            try await withKeyring { keyring, state in
                let script = state.directory.file("observer")
                try installScript(Self.observer, at: script)
                setenv("CUTIED_UNDER_TEST", try BuiltProduct.path(of: "cutied-daemon"), 1)
                let store = SecretStore(.auto, state.file, keyring: SecretService(program: script))
                try await store.store(Secret("tok-1"), as: .token())
                #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
                let seen = try String(contentsOfFile: script + ".seen", encoding: .utf8)
                #expect(seen.contains(KeyringHelper.argument))
                #expect(!seen.contains("tok-1") && !seen.contains("dG9rLTE="))
            }
        }
    }

    /// Programs that replace the helper, and the problem that the store reports with each program.
    @Test(arguments: [
        ("/bin/true", "no secret service answers"), ("/bin/echo", "no secret service answers"),
        ("/nonexistent", "does not start"),
    ])
    func `Secrets are stored in the file if the helper fails`(_ program: String, _ problem: String)
        async throws
    {
        let state = try StateDirectory()
        let store = SecretStore(.auto, state.file, keyring: SecretService(program: program))
        try await store.store(Secret("tok-1"), as: .token())
        #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
        #expect(await store.resolveLocation().problem?.english.contains(problem) == true)
    }

    @Test func `After the session bus has exited, the next call uses the new bus`() async {
        await #expect(processExitsWith: .success) {
            try await withPrivateBus { bus, state in
                let keyring = try await Keyring(on: bus)
                let store = SecretStore(.auto, at: state)
                try await store.store(Secret("tok-1"), as: .token())
                var bus = bus
                for _ in 1...3 {
                    try await bus.killProcess()
                    bus = try await bus.makeSuccessor()
                    try await keyring.restart(on: bus)
                    #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
                }
            }
        }
    }
}
