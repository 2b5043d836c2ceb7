import Config
import CutieAPI
import Foundation
import Reasons
import TestSupport
import Testing

@testable import Identity

@Suite struct `The encrypted secrets file` {
    let state: StateDirectory

    init() throws { state = try StateDirectory() }

    @Test func `The encrypted file contains no readable secret and can be decrypted`() async throws {
        let store = SecretStore(.file, state.sealed())
        try await store.store(Secret("tok-1"), as: .token())
        let text = try String(contentsOfFile: state.path, encoding: .utf8)
        #expect(!text.contains("dG9rLTE=") && !text.contains("api.cuti-e.com"))
        #expect(try await SecretStore(.file, state.sealed()).findSecret(named: .token()) == Secret("tok-1"))
        #expect(await store.resolveLocation().kind == .sealedFile)
    }

    @Test func `A secrets file in plain text is encrypted as soon as a credential is available`() async throws
    {
        try await SecretStore(.file, at: state).store(Secret("tok-1"), as: .token())
        #expect(try await SecretStore(.file, state.sealed()).findSecret(named: .token()) == Secret("tok-1"))
        #expect(try !String(contentsOfFile: state.path, encoding: .utf8).contains("dG9rLTE="))
    }

    @Test func `The encrypted file is not changed if the credential is missing or wrong`() async throws {
        try await SecretStore(.file, state.sealed()).store(Secret("tok-1"), as: .token())
        let before = try Data(contentsOf: URL(filePath: state.path))
        for file in [state.file, state.sealed(Array(repeating: 8, count: 32))] {
            let store = SecretStore(.file, file)
            let refused = await failure { () throws(SecretFailure) in
                try await store.store(Secret("tok-2"), as: .token())
            }
            #expect(refused?.code == .unreadable)
            let place = await store.resolveLocation()
            #expect(place.problem == refused?.reason)
            // Because of the note, doctor reports the refused file. Without the note, the file would look
            // empty and valid.
            #expect(place.notes.first == refused?.reason)
        }
        #expect(try Data(contentsOf: URL(filePath: state.path)) == before)
    }

    @Test func `A modified encrypted file is treated as damaged`() async throws {
        try await SecretStore(.file, state.sealed()).store(Secret("tok-1"), as: .token())
        let text = try String(contentsOfFile: state.path, encoding: .utf8)
        let start = try #require(text.range(of: #""sealed":""#)).upperBound
        let altered = text[start] == "A" ? "B" : "A"
        try text.replacingCharacters(in: start...start, with: altered)
            .write(toFile: state.path, atomically: true, encoding: .utf8)
        let store = SecretStore(.file, state.sealed())
        #expect(try await store.findSecret(named: .token()) == nil)
        #expect(await store.resolveLocation().notes.first?.english.contains("damaged") == true)
    }

    @Test func `The encryption key of the file is derived from the systemd credential`() async throws {
        try "0123456789abcdef".write(
            toFile: state.directory.file("cutied"), atomically: true, encoding: .utf8)
        let environment = ["CREDENTIALS_DIRECTORY": state.directory.path]
        let store = try SecretStore(.file, directory: state.directory.path, environment: environment)
        try await store.store(Secret("tok-1"), as: .token())
        #expect(await store.resolveLocation().kind == .sealedFile)
        #expect(
            try await SecretStore(.file, state.sealed(Array("0123456789abcdef".utf8))).findSecret(
                named: .token()) != nil
        )
        let without = try SecretStore(.file, directory: state.directory.path, environment: [:])
        let refused = await failure { () throws(SecretFailure) in
            _ = try await without.findSecret(named: .token())
        }
        #expect(refused?.code == .unreadable)
    }

    @Test func `A credential that is too short is rejected`() throws {
        try "short".write(toFile: state.directory.file("cutied"), atomically: true, encoding: .utf8)
        #expect(throws: SecretFailure.self) {
            try SecretStore(
                .file, directory: state.directory.path,
                environment: ["CREDENTIALS_DIRECTORY": state.directory.path])
        }
    }
}
