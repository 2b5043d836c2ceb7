import Foundation
import TestSupport
import Testing

@Suite struct `The subscription of an app` {
    @Test func `Offline, the last known subscription is printed with its age`() async throws {
        try await EndToEndFixture.with { fixture in
            let before = try await fixture.daemon.ctl("subscription")
            #expect(before.code == 0 && before.output.contains(/tier +free/))
            let receipt = fixture.daemon.directory.file("receipt")
            try Data([0, 1, 2, 0xFF]).write(to: URL(filePath: receipt))
            let bought = try await fixture.daemon.ctl(
                "subscription", "verify", "--platform", "ios", "--product", "com.example.pro.monthly",
                "--receipt", receipt)
            #expect(bought.code == 0 && bought.output.contains("active until"), "\(bought.error)")
            _ = try await fixture.daemon.startConversation("One")
            let online = try await fixture.daemon.ctl("subscription", "status").output
            #expect(online.contains("1 of 10000 conversations in "))
            try await fixture.sandbox.stop()
            try await fixture.daemon.restart()
            let offline = try await fixture.daemon.ctl("subscription", "status")
            #expect(offline.code == 0)
            #expect(offline.output.contains("1 of 10000 conversations in "))
            #expect(offline.output.contains("as of") && offline.output.contains("("))
        }
    }

    @Test func `An unreachable API, a missing receipt and an unknown product each cause an error`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let nowhere = try await fixture.daemon.ctl(
                "subscription", "verify", "--platform", "ios", "--product", "com.example.pro",
                "--receipt", "/nowhere")
            #expect(nowhere.code == 65)
            let unknown = try await fixture.daemon.ctl(
                "subscription", "verify", "--platform", "ios", "--product", "com.example", "--receipt", "-",
                input: "receipt")
            #expect(unknown.code == 1 && unknown.error.contains("must be starter, pro or business"))
            try await fixture.sandbox.stop()
            #expect(try await fixture.daemon.ctl("subscription").code == 69)
        }
    }
}
