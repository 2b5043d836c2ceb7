import TestSupport
import Testing

@Suite struct `Inline styles in messages` {
    @Test
    func `Notifications render bold and code styles, and escape the markup of messages`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let thread = try await fixture.daemon.startConversation("Marks")
            let text = "Use **bold <b>x</b>** and `code & more`, not 2**3**4"
            try await fixture.sandbox.reply(text, in: thread)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(
                popup.body == "Use bold &lt;b&gt;x&lt;/b&gt; and code &amp; more, not 2**3**4"
                    || popup.body == "Use bold <b>x</b> and code & more, not 2**3**4")
        }
    }
}
