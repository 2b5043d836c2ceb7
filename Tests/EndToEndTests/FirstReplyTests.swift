import TestSupport
import Testing

@Suite struct `An admin's reply` {
    @Test func `It pops up, counts and is explained`() async throws {
        try await Household.with { home in
            let conversation = try await home.daemon.converse("Export to CSV")
            let message = try await home.sandbox.reply("Open **Settings** & <b>Export</b>.", in: conversation)
            let popup = try await home.popups.notifications(atLeast: 1)[0]
            #expect(popup.summary == "Support — Export to CSV")
            #expect(popup.body == "Open **Settings** &amp; &lt;b&gt;Export&lt;/b&gt;.")
            try await home.daemon.badge(1)
            #expect(try await home.daemon.ledger(of: message).stages == ["stored", "announcing", "shown"])
        }
    }
}
