import Foundation
import TestSupport
import Testing

/// Tests of the window from the perspective of users who do not use a terminal.
@Suite struct `The main window` {
    @Test(.timeLimit(.minutes(10)))
    func `A click on a notification opens the conversation and marks it read on all devices`()
        async throws
    {
        try await inFrontOfTheWindow { fixture, person, window in
            try await write(person, fixture)
            let mine = try #require(try await fixture.daemon.fetchInbox().first).conversationId
            let other = try await fixture.daemon.startConversation("Other", "Another one")

            // A second instance passes its conversation to the running window and exits.
            let second = try fixture.showWindow(other, person)
            #expect(try await second.exit() == 0)
            try await person.waitFor(.anything("Another one"))
            #expect(try await person.count(.frame("Cuti-E")) == 1)
            #expect(window.isRunning)
            try await person.enterText("Still there?", into: .field("Your reply"))
            try await person.click(.button("Send"))
            try await eventually("the answer at the service") {
                try await fixture.sandbox.fetchTexts(in: other) == ["Another one", "Still there?"]
            }

            // A reply in a conversation that is not visible shows a notification. Clicking the notification
            // opens the conversation.
            try await fixture.sandbox.reply("Version 2 mends it", in: mine)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.body == "Version 2 mends it")
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await person.waitFor(.row("Version 2 mends it"))
            try await person.waitForAbsence(.row("Another one"))
            try await eventually("the reply is read on all devices") {
                try await fixture.device().totalUnread() == 0
            }
            try await fixture.daemon.waitForBadge(0)
            try await fixture.keepPicture(of: person, "inbox")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A reply in the focused conversation is marked read and causes no notification`() async throws {
        try await inFrontOfTheWindow { fixture, person, _ in
            try await write(person, fixture)
            let mine = try #require(try await fixture.daemon.fetchInbox().first).conversationId
            // Showing the window again focuses it, because no window manager restores the focus after the
            // form has closed.
            #expect(try await fixture.showWindow(mine, person).exit() == 0)
            for words in ["In front of you", "And this, too"] {
                try await fixture.sandbox.reply(words, in: mine)
                try await person.waitFor(.row(words))
                try await eventually("the reply is read on all devices") {
                    try await fixture.device().totalUnread() == 0
                }
            }
            // The check omits the first reply, which may have arrived before the window was focused.
            #expect(
                try !fixture.notificationServer.notifications.contains { $0.body.contains("And this, too") })
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `After feedback is sent, the composer has the focus, even in a narrow window`() async throws {
        try await inFrontOfTheWindow(closes: true) { fixture, person, window in
            try await write(person, fixture)
            let thread = try #require(try await fixture.sandbox.fetchThreads().first).conversation_id
            // No widget has been clicked since the form was sent, so the text arrives only if the composer
            // has the focus.
            try await person.typeText("More", in: "Cuti-E")
            try await person.pressKeys("ctrl+Return", in: "Cuti-E")
            try await eventually("the reply") {
                try await fixture.sandbox.fetchTexts(in: thread) == ["Each time I print", "More"]
            }
            try await person.typeText("Half **done**", in: "Cuti-E")
            try await person.resize("Cuti-E", to: (360, 600))
            try await person.waitFor(.button("Back to the Conversations"))
            try await person.waitFor(.row("Each time I print"))
            try await fixture.keepPicture(of: person, "narrow")
            try await person.resize("Cuti-E", to: (1000, 600))
            let other = try await fixture.daemon.startConversation(
                "Other", "A **bold** `code` https://example.com")
            try await person.click(.row("Other"))
            // The list must show the draft of the conversation that is no longer open.
            try await person.waitFor(.row("Draft: Half **done**"))
            try await fixture.keepPicture(of: person, "draft")
            try await person.pressKeys("ctrl+q", in: "Cuti-E")
            #expect(try await window.exit() == 0, "\(window.standardError)")
            // A new window opens the newest conversation.
            let next = try fixture.showWindow(nil, person)
            try await person.waitFor(.row("You, A bold code"))
            #expect(try await fixture.daemon.fetchInbox().first?.conversationId == other)
            next.signal(SIGTERM)
            try await next.exit()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The conversation menu can mute a conversation and mark it as unread`() async throws {
        try await inFrontOfTheWindow { fixture, person, _ in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, person).exit() == 0)
            try await person.waitFor(.row("The first"))
            func chooses(_ item: String) async throws {
                try await person.click(.button("Conversation Conversation"))
                try await person.click(.menuItem(item))
            }
            try await chooses("Mute")
            try await person.waitFor(.row("Question, muted"))
            let list = try await fixture.daemon.ctl("inbox", "--muted").output
            #expect(list.contains(thread) && list.contains("open, muted"))
            try await chooses("Mark as Unread")
            try await person.waitFor(.row("Question, unread, muted"))
            try await fixture.keepPicture(of: person, "muted")
            let other = try await fixture.daemon.startConversation("Other", "Another")
            #expect(try await fixture.showWindow(other, person).exit() == 0)
            try await person.waitFor(.row("Another"))
            try await fixture.sandbox.reply("In silence", in: thread)
            try await person.waitFor(.row("In silence"))
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
        try await inFrontOfTheWindow { fixture, person, _ in
            let older = try await fixture.daemon.startConversation("Older", "The first one")
            _ = try await fixture.daemon.startConversation("Newer", "The second one")
            try await person.waitFor(.row("Newer"))
            #expect(try await person.count(.row("Older")) == 1)
            #expect(try await person.count(.row("Newer")) == 1)
            try await fixture.sandbox.reply("An answer", in: older)
            try await person.waitFor(.row("Older, 1 unread message"))
            #expect(try await fixture.daemon.fetchInbox().map(\.conversationId).first == older)
            // On the server, reading counts as a change, but it must not move the conversation in the list.
            let third = try await fixture.daemon.startConversation("Third", "The third one")
            #expect(try await fixture.showWindow(older, person).exit() == 0)
            try await eventually("the conversation is read on all devices") {
                try await fixture.device().totalUnread() == 0
            }
            #expect(try await fixture.daemon.fetchInbox().map(\.conversationId).prefix(2) == [third, older])
        }
    }

    /// Writes feedback with the form of an empty inbox.
    private func write(_ person: DesktopUser, _ fixture: EndToEndFixture) async throws {
        try await person.click(.button("Write Feedback"))
        try await person.enterText("It crashes", into: .field("Title"))
        try await person.enterText("Each time I print", into: .field("Your message"))
        try await person.click(.button("Send"))
        try await person.waitFor(.row("Each time I print"))
        let threads = try await fixture.sandbox.fetchThreads()
        #expect(threads.map(\.title) == ["It crashes"])
    }
}
