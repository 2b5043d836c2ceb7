import Foundation
import TestSupport
import Testing

/// Tests of the window from the perspective of users who do not use a terminal.
@Suite struct `The main window` {
    @Test(.timeLimit(.minutes(10)))
    func `A click on a notification opens the conversation and marks it read on all devices`()
        async throws
    {
        try await withInboxWindow { fixture, user, window in
            try await write(user, fixture)
            let mine = try #require(try await fixture.daemon.fetchInbox().first).conversationId
            let other = try await fixture.daemon.startConversation("Other", "Another one")

            // A second instance passes its conversation to the running window and exits.
            let second = try fixture.showWindow(other, user)
            #expect(try await second.waitForExit() == 0)
            try await user.waitFor(.anything("Another one"))
            #expect(try await user.count(.frame("Cuti-E")) == 1)
            #expect(window.isRunning)
            try await user.enterText("Still there?", into: .field("Your reply"))
            try await user.click(.button("Send"))
            try await eventually("the answer at the service") {
                try await fixture.sandbox.fetchTexts(in: other) == ["Another one", "Still there?"]
            }

            // A reply in a conversation that is not visible shows a notification. Clicking the notification
            // opens the conversation.
            try await fixture.sandbox.reply("Version 2 mends it", in: mine)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.body == "Version 2 mends it")
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await user.waitFor(.row("Version 2 mends it"))
            try await user.waitForAbsence(.row("Another one"))
            try await eventually("the reply is read on all devices") {
                try await fixture.makeDevice().fetchTotalUnread() == 0
            }
            try await fixture.daemon.waitForBadge(0)
            try await fixture.saveScreenshot(of: user, "inbox")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A reply in the focused conversation is marked read and causes no notification`() async throws {
        try await withInboxWindow { fixture, user, _ in
            try await write(user, fixture)
            let mine = try #require(try await fixture.daemon.fetchInbox().first).conversationId
            // Showing the window again focuses it, because no window manager restores the focus after the
            // form has closed.
            #expect(try await fixture.showWindow(mine, user).waitForExit() == 0)
            for words in ["In front of you", "And this, too"] {
                try await fixture.sandbox.reply(words, in: mine)
                try await user.waitFor(.row(words))
                try await eventually("the reply is read on all devices") {
                    try await fixture.makeDevice().fetchTotalUnread() == 0
                }
            }
            // The check omits the first reply, which may have arrived before the window was focused.
            #expect(
                try !fixture.notificationServer.notifications.contains { $0.body.contains("And this, too") })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `After feedback is sent, the composer has the focus, even in a narrow window`() async throws {
        try await withInboxWindow(closes: true) { fixture, user, window in
            try await write(user, fixture)
            let thread = try #require(try await fixture.sandbox.fetchThreads().first).conversation_id
            // No widget has been clicked since the form was sent, so the text arrives only if the composer
            // has the focus.
            try await user.typeText("More", in: "Cuti-E")
            try await user.pressKeys("ctrl+Return", in: "Cuti-E")
            try await eventually("the reply") {
                try await fixture.sandbox.fetchTexts(in: thread) == ["Each time I print", "More"]
            }
            try await user.typeText("Half **done**", in: "Cuti-E")
            try await user.resize("Cuti-E", to: (360, 600))
            try await user.waitFor(.button("Back to Conversations"))
            try await user.waitFor(.row("Each time I print"))
            try await fixture.saveScreenshot(of: user, "narrow")
            try await user.resize("Cuti-E", to: (1000, 600))
            let other = try await fixture.daemon.startConversation(
                "Other", "A **bold** `code` https://example.com")
            try await user.click(.row("Other"))
            // The list must show the draft of the conversation that is no longer open.
            try await user.waitFor(.row("Draft: Half **done**"))
            try await fixture.saveScreenshot(of: user, "draft")
            try await user.pressKeys("ctrl+q", in: "Cuti-E")
            #expect(try await window.waitForExit() == 0, "\(window.standardError)")
            // A new window opens the newest conversation.
            let next = try fixture.showWindow(nil, user)
            try await user.waitFor(.row("You, A bold code"))
            #expect(try await fixture.daemon.fetchInbox().first?.conversationId == other)
            next.signal(SIGTERM)
            try await next.waitForExit()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The conversation menu can mute a conversation and mark it as unread`() async throws {
        try await withInboxWindow { fixture, user, _ in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, user).waitForExit() == 0)
            try await user.waitFor(.row("The first"))
            func chooses(_ item: String) async throws {
                try await user.click(.button("Conversation Conversation"))
                try await user.click(.menuItem(item))
            }
            try await chooses("Mute")
            try await user.waitFor(.row("Question, muted"))
            let list = try await fixture.daemon.ctl("inbox", "--muted").output
            #expect(list.contains(thread) && list.contains("open, muted"))
            try await chooses("Mark as Unread")
            try await user.waitFor(.row("Question, unread, muted"))
            try await fixture.saveScreenshot(of: user, "muted")
            let other = try await fixture.daemon.startConversation("Other", "Another")
            #expect(try await fixture.showWindow(other, user).waitForExit() == 0)
            try await user.waitFor(.row("Another"))
            try await fixture.sandbox.reply("In silence", in: thread)
            try await user.waitFor(.row("In silence"))
            try await fixture.sandbox.reply("Aloud", in: other)
            try await fixture.daemon.waitForBadge(0)
            #expect(try fixture.notificationServer.notifications.isEmpty)
            #expect(try await fixture.daemon.ctl("unmute", thread).code == 0)
            try await fixture.sandbox.reply("Aloud again", in: thread)
            #expect(
                try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0].body.contains(
                    "Aloud again")
            )
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A screen reader finds each row once, and marking a conversation read does not move its row`()
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            let older = try await fixture.daemon.startConversation("Older", "The first one")
            _ = try await fixture.daemon.startConversation("Newer", "The second one")
            try await user.waitFor(.row("Newer"))
            #expect(try await user.count(.row("Older")) == 1)
            #expect(try await user.count(.row("Newer")) == 1)
            try await fixture.sandbox.reply("An answer", in: older)
            try await user.waitFor(.row("Older, 1 unread message"))
            #expect(try await fixture.daemon.fetchInbox().map(\.conversationId).first == older)
            // On the server, reading counts as a change, but it must not move the conversation in the list.
            let third = try await fixture.daemon.startConversation("Third", "The third one")
            #expect(try await fixture.showWindow(older, user).waitForExit() == 0)
            try await eventually("the conversation is read on all devices") {
                try await fixture.makeDevice().fetchTotalUnread() == 0
            }
            #expect(try await fixture.daemon.fetchInbox().map(\.conversationId).prefix(2) == [third, older])
        }
    }

    /// Writes feedback with the form of an empty inbox.
    private func write(_ user: DesktopUser, _ fixture: EndToEndFixture) async throws {
        try await user.click(.button("Write Feedback"))
        try await user.enterText("It crashes", into: .field("Title"))
        try await user.enterText("Each time I print", into: .field("Your message"))
        try await user.click(.button("Send"))
        try await user.waitFor(.row("You, Each time I print"))
        let threads = try await fixture.sandbox.fetchThreads()
        #expect(threads.map(\.title) == ["It crashes"])
    }
}
