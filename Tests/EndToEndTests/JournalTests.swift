import TestSupport
import Testing

@Suite struct `What the daemon writes to its journal` {
    @Test(arguments: ["info", "debug", "trace"])
    func `Neither tokens nor words of people`(_ level: String) async throws {
        try await Household.with({ $0.logLevel = level }) { home in
            let conversation = try await home.daemon.converse(
                "A title like no other", "Opening words of mine")
            let device = try await home.device()
            try await home.sandbox.reply("An answer full of secrets", in: conversation)
            try await home.daemon.badge(1)
            _ = try await home.popups.notifications(atLeast: 1)
            try await home.sandbox.revoke(device.id)
            try await home.sandbox.reply("Another one", in: conversation)
            try await home.daemon.badge(2)
            try await home.sandbox.stop()
            try await home.daemon.status("offline") { $0.state == "offline" }
            #expect(try await home.daemon.ctl("reply", conversation, "Queued words of mine").code == 75)
            try await home.sandbox.start()
            try await home.daemon.connected()
            try await home.daemon.stop()
            let journal = home.daemon.journal
            #expect(journal.contains("ready"))
            #expect(!journal.contains(device.token))
            #expect(!journal.contains(try await home.sandbox.device(device.id).token))
            #expect(!journal.contains("cutie_dt_"))
            for words in ["no other", "words of mine", "full of secrets", "Another one"] {
                #expect(!journal.contains(words), "\(words)")
            }
        }
    }
}
