import Config
import CutieAPI
import Foundation
import Reasons
import TestSupport
import Testing

@testable import Identity

func makeDirectory(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
}

@Suite struct `The secrets file` {
    let state: StateDirectory

    init() throws { state = try StateDirectory() }

    @Test func `A secret is stored in a file with mode 0600, and the next run can load it`() async throws {
        try await SecretStore(.file, at: state).store(Secret("tok-1"), as: .token())
        #expect(try await SecretStore(.file, at: state).findSecret(named: .token()) == Secret("tok-1"))
        #expect(state.mode() == 0o600)
        #expect(await SecretStore(.file, at: state).resolveLocation().kind == .plainFile)
    }

    @Test func `Secrets whose names differ in any component are separate`() async throws {
        let store = SecretStore(.file, at: state)
        try await store.store(Secret("tok-1"), as: .token())
        var others = [SecretName.token("other"), .token(at: "http://api.cuti-e.com")]
        others.append(
            SecretName(account: "default", address: .production, type: .attestationKey, subject: "device_1"))
        others.append(
            SecretName(account: "default", address: .production, type: .deviceToken, subject: "device_2"))
        for other in others { #expect(try await store.findSecret(named: other) == nil) }
        let same = SecretName(
            account: "default", address: .production, type: .deviceToken, subject: "device_1")
        #expect(try await store.findSecret(named: same) == Secret("tok-1"))
    }

    @Test func `Deleting a secret does not affect other secrets`() async throws {
        let store = SecretStore(.file, at: state)
        try await store.store(Secret("tok-1"), as: .token())
        try await store.store(Secret("tok-2"), as: .token("other"))
        try await store.deleteSecret(named: .token())
        #expect(try await store.findSecret(named: .token()) == nil)
        #expect(try await store.findSecret(named: .token("other")) == Secret("tok-2"))
    }

    @Test func `Printing a secret does not reveal the secret`() {
        let secret = Secret("tok-1")
        #expect(!"\(secret) \(String(reflecting: secret))".contains("tok"))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("116"))
    }

    @Test(arguments: ["", "{", "[]", #"{"format":"cutied-secrets-1"}"#, #"{"format":7}"#, "\u{0}\u{1}"])
    func `A damaged secrets file is moved aside and reported`(_ text: String) async throws {
        try text.write(toFile: state.path, atomically: true, encoding: .utf8)
        let store = SecretStore(.file, at: state)
        #expect(try await store.findSecret(named: .token()) == nil)
        try await store.store(Secret("tok-1"), as: .token())
        #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
        #expect(try String(contentsOfFile: state.path + ".damaged-1", encoding: .utf8) == text)
        #expect(await store.resolveLocation().notes.count { $0.english.contains("was damaged") } == 1)
    }

    @Test func `Two damaged secrets files are both preserved`() async throws {
        let store = SecretStore(.file, at: state)
        for text in ["one", "two"] {
            try text.write(toFile: state.path, atomically: true, encoding: .utf8)
            #expect(try await store.findSecret(named: .token()) == nil)
        }
        #expect(try String(contentsOfFile: state.path + ".damaged-1", encoding: .utf8) == "one")
        #expect(try String(contentsOfFile: state.path + ".damaged-2", encoding: .utf8) == "two")
    }

    @Test func `A secrets file that is too large is not read`() async throws {
        let bytes = Data(repeating: UInt8(ascii: " "), count: SecretFile.sizeLimit + 1)
        try bytes.write(to: URL(filePath: state.path))
        let store = SecretStore(.file, at: state)
        #expect(try await store.findSecret(named: .token()) == nil)
        #expect(await store.resolveLocation().notes.first?.english.contains("damaged") == true)
    }

    @Test func `If other users can access the secrets file, their access is removed and reported`()
        async throws
    {
        try await SecretStore(.file, at: state).store(Secret("tok-1"), as: .token())
        #expect(chmod(state.path, 0o644) == 0)
        let store = SecretStore(.file, at: state)
        #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
        #expect(state.mode() == 0o600)
        #expect(await store.resolveLocation().notes.first?.english.contains("mode 644") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `A secrets file that belongs to another user is not changed`() async throws {
        try await SecretStore(.file, at: state).store(Secret("tok-1"), as: .token())
        #expect(chown(state.path, 65_534, 65_534) == 0)
        let refused = await failure { () throws(SecretFailure) in
            _ = try await SecretStore(.file, at: state).findSecret(named: .token())
        }
        #expect(refused?.code == .unreadable)
    }

    @Test func `A secrets file that a newer version created is not changed`() async throws {
        let text = #"{"format":"cutied-secrets-2"}"#
        try text.write(toFile: state.path, atomically: true, encoding: .utf8)
        let store = SecretStore(.file, at: state)
        let refused = await failure { () throws(SecretFailure) in
            try await store.store(Secret("tok-1"), as: .token())
        }
        #expect(refused?.code == .unreadable)
        #expect(try String(contentsOfFile: state.path, encoding: .utf8) == text)
    }

    @Test func `A symbolic link, a FIFO or a directory in place of the secrets file is rejected`()
        async throws
    {
        let store = SecretStore(.file, at: state)
        let target = state.directory.file("target")
        try "secret".write(toFile: target, atomically: true, encoding: .utf8)
        let obstacles: [(String) -> Int32] = [
            { symlink(target, $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) },
        ]
        for obstacle in obstacles {
            #expect(obstacle(state.path) == 0)
            let refused = await failure { () throws(SecretFailure) in
                try await store.store(Secret("tok-1"), as: .token())
            }
            #expect(refused?.code == .unreadable)
            #expect(remove(state.path) == 0)
        }
    }

    @Test func `A secret or a secret name with an invalid length is rejected`() async throws {
        let store = SecretStore(.file, at: state)
        let large = Secret(Array(repeating: 1, count: Secret.sizeLimit + 1))
        for (secret, name) in [
            (large, SecretName.token()), (Secret("a"), .token(String(repeating: "x", count: 513))),
            (Secret([]), .token()), (Secret("a"), .token("a\u{0}b")),
        ] {
            let refused = await failure { () throws(SecretFailure) in try await store.store(secret, as: name)
            }
            #expect(refused?.code == .tooLarge)
        }
    }

    @Test func `Temporary files that a crash left behind do not prevent the next write`() async throws {
        try "half".write(toFile: state.path + ".new", atomically: true, encoding: .utf8)
        let store = SecretStore(.file, at: state)
        try await store.store(Secret("tok-1"), as: .token())
        #expect(try await store.findSecret(named: .token()) == Secret("tok-1"))
        #expect(!FileManager.default.fileExists(atPath: state.path + ".new"))
    }

    @Test func `No secret is lost when several tasks write concurrently`() async throws {
        let store = SecretStore(.file, at: state)
        try await withThrowingTaskGroup { group in
            for number in 1...20 {
                group.addTask { try await store.store(Secret("\(number)"), as: .token("\(number)")) }
            }
            try await group.waitForAll()
        }
        for number in 1...20 {
            #expect(try await store.findSecret(named: .token("\(number)")) == Secret("\(number)"))
        }
    }
}
