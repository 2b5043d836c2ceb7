import Foundation
import TestSupport
import Testing

@Suite struct `The subscription of an app` {
    @Test func `The subscription is shown as the service reports it, and offline as last reported`()
        async throws
    {
        try await Household.with { home in
            let before = try await home.daemon.ctl("subscription")
            #expect(before.code == 0 && before.output.contains(/tier +free/))
            let receipt = home.daemon.directory.file("receipt")
            try Data([0, 1, 2, 0xFF]).write(to: URL(filePath: receipt))
            let bought = try await home.daemon.ctl(
                "subscription", "verify", "--platform", "ios", "--product", "com.example.pro.monthly",
                "--receipt", receipt)
            #expect(bought.code == 0 && bought.output.contains("active until"), "\(bought.error)")
            _ = try await home.daemon.converse("One")
            let online = try await home.daemon.ctl("subscription", "status").output
            #expect(online.contains("1 of 10000 conversations in "))
            try await home.sandbox.stop()
            try await home.daemon.restart()
            let offline = try await home.daemon.ctl("subscription", "status")
            #expect(offline.code == 0)
            #expect(offline.output.contains("1 of 10000 conversations in "))
            #expect(offline.output.contains("as of") && offline.output.contains("("))
        }
    }

    @Test func `The subscription is an error if the service was never reached or the receipt is invalid`()
        async throws
    {
        try await Household.with { home in
            let nowhere = try await home.daemon.ctl(
                "subscription", "verify", "--platform", "ios", "--product", "com.example.pro",
                "--receipt", "/nowhere")
            #expect(nowhere.code == 65)
            let unknown = try await home.daemon.ctl(
                "subscription", "verify", "--platform", "ios", "--product", "com.example", "--receipt", "-",
                input: "receipt")
            #expect(unknown.code == 1 && unknown.error.contains("must be starter, pro or business"))
            try await home.sandbox.stop()
            #expect(try await home.daemon.ctl("subscription").code == 69)
        }
    }
}
