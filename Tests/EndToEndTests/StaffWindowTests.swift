import Foundation
import TestSupport
import Testing

/// Tests of the window with a staff account.
@Suite struct `Support staff in the window` {
    @Test(.timeLimit(.minutes(10)))
    func `An agent assigns a conversation, adds a note, sends a canned response and sees the statistics`()
        async throws
    {
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            let thread = try await fixture.daemon.startConversation(
                "It crashes", "Each time I print", account: "shop")
            try await show(thread, fixture, person)
            try await person.click(.button("Assign to Me"))
            try await eventually("the conversation is assigned") {
                try await fixture.daemon.ctl("show", thread, "--account", "work", "--json").output
                    .contains(#""assignedAdminId""#)
            }
            try await fixture.keepPicture(of: person, "staff-open")
            try await person.click(.anything("Internal Note"))
            try await person.enterText("Known since 1.2", into: .field("Internal note"))
            try await person.click(.button("Add Note"))
            try await person.waitFor(.row("Known since 1.2"))
            try await fixture.keepPicture(of: person, "staff-note")
            try await respond(in: thread, fixture, person)
            try await eventually("the user reads the answer, and no note") {
                let shown = try await fixture.daemon.ctl("show", thread, "--account", "shop").output
                return shown.contains("Thank you, Ada.") && !shown.contains("Known since")
            }
            try await person.opens("Statistics", in: "Support")
            try await person.waitFor(.anything("By Status", in: "Statistics"))
            try await fixture.keepPicture(of: person, "statistics")
            try await person.opens("Home", in: "Support")
            try await person.waitFor(.anything(", Kim", in: "Home"))
            try await fixture.keepPicture(of: person, "home")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An agent can handle waiting conversations without a mouse`() async throws {
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            let main = "Cuti-E"
            let first = try await fixture.daemon.startConversation(
                "First", "Each time I print", account: "shop")
            let second = try await fixture.daemon.startConversation("Second", "It is blue", account: "shop")
            func state(_ thread: String, _ text: String) async throws {
                try await eventually("\(text) in \(thread)") {
                    try await fixture.daemon.ctl("show", thread, "--account", "work", "--json").output
                        .contains(text)
                }
            }
            try await show(first, fixture, person)
            try await person.pressKeys("ctrl+3", in: main)
            try await person.waitFor(.anything("Waiting for Support"))
            try await person.waitFor(.row("Waiting since"))
            try await fixture.keepPicture(of: person, "staff-view")
            try await person.pressKeys("ctrl+shift+a", in: main)
            try await state(first, #""assignedAdminId""#)
            let mine = try await fixture.daemon.ctl("inbox", "--view", "mine").output
            #expect(mine.contains(first) && !mine.contains(second))
            try await person.pressKeys("ctrl+shift+r", in: main)
            try await eventually("no agent is assigned") {
                try await !fixture.daemon.ctl("inbox", "--view", "mine").output.contains(first)
            }
            // The list begins with the newest conversation, so the key selects the second conversation.
            try await person.pressKeys("alt+Up", in: main)
            try await person.waitFor(.row("It is blue"))
            try await person.pressKeys("ctrl+r", in: main)
            try await person.typeText("Green is better", in: main)
            try await person.pressKeys("ctrl+shift+Return", in: main)
            try await state(second, #""status":"resolved""#)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: second).contains("Green is better")
            }
            // After a conversation is resolved, the next conversation is open. Undo reopens the resolved
            // conversation.
            try await person.waitFor(.row("Each time I print"))
            try await fixture.keepPicture(of: person, "staff-resolved")
            try await person.click(.button("Undo"))
            try await state(second, #""status":"open""#)
            try await person.pressKeys("ctrl+e", in: main)
            try await state(second, #""status":"resolved""#)
            try await person.pressKeys("ctrl+t", in: main)
            try await person.typeText("crash", in: main)
            try await person.pressKeys("Return", in: main)
            try await state(first, "crash")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An agent can snooze a conversation, can find it again, and is notified when the snooze ends`()
        async throws
    {
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            let main = "Cuti-E"
            let thread = try await fixture.daemon.startConversation(
                "Aside", "Each time I print", account: "shop")
            try await show(thread, fixture, person)
            // The view of snoozed conversations hides the open conversation. Pressing the key again leaves
            // the view.
            try await person.waitFor(.row("shop"))
            try await person.pressKeys("ctrl+5", in: main)
            try await person.waitForAbsence(.row("shop"))
            try await fixture.keepPicture(of: person, "snoozed-view")
            try await person.pressKeys("ctrl+5", in: main)
            try await person.waitFor(.row("shop"))
            // Space must not open the feedback form: the focus stays in the list even if the focused row
            // disappears.
            try await person.pressKeys("alt+Left", "ctrl+1", "ctrl+1", "space", in: main)
            try await person.waitFor(.row("shop"))
            try await person.waitForAbsence(.frame("New Feedback"))
            try await person.waitForAbsence(DesktopUser.Target(role: "filler", name: "New Feedback"))
            func chooses(_ item: String) async throws {
                try await person.click(.button("Conversation Conversation"))
                try await person.click(.menuItem("Snooze"))
                try await fixture.keepPicture(of: person, "snooze-menu")
                try await person.click(.menuItem(item))
            }
            try await chooses("Next Week")
            try await person.waitFor(.row("Snoozed until"))
            try await fixture.keepPicture(of: person, "snoozed")
            let waiting = try await fixture.daemon.ctl("inbox", "--view", "waiting").output
            #expect(!waiting.contains(thread))
            let snoozed = try await fixture.daemon.ctl("inbox", "--view", "snoozed").output
            #expect(snoozed.contains(thread) && snoozed.contains("open, snoozed until"))
            try await person.click(.button("Conversation Conversation"))
            try await person.click(.menuItem("End Snooze"))
            try await eventually("the conversation waits again") {
                try await fixture.daemon.ctl("inbox", "--view", "waiting").output.contains(thread)
            }
            // Opens another conversation, because the user is notified of the end of a snooze only if the
            // conversation is not open.
            let other = try await fixture.daemon.startConversation("Other", "Another", account: "shop")
            try await show(other, fixture, person)
            let verb = try await fixture.daemon.ctl("snooze", thread, "5s", "--account", "work")
            #expect(verb.code == 0, "\(verb)")
            try await eventually("the end of the snooze is shown") {
                try fixture.notificationServer.notifications.contains { $0.summary == "Aside" }
            }
            try await person.opens("Settings")
            try await person.waitFor(.anything("Remind Me When Users Are Waiting", in: "Settings"))
            try await fixture.keepPicture(of: person, "settings-reminders")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Typing a slash at the start of a line searches the canned responses`() async throws {
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            let main = "Cuti-E"
            for (title, text) in [
                ("Greeting", "Dear {{name}}, thank you for {{thing}}."), ("Bye", "See you"),
            ] {
                let added = try await fixture.daemon.ctl(
                    "canned", "add", "--title", title, text, "--account", "work")
                #expect(added.code == 0, "\(added)")
            }
            let thread = try await fixture.daemon.startConversation(
                "First", "Each time I print", account: "shop")
            try await show(thread, fixture, person)
            try await person.pressKeys("ctrl+r", in: main)
            try await person.typeText("1/2 is a number", in: main)
            try await person.waitForAbsence(.row("Greeting"))
            try await person.pressKeys("Return", in: main)
            try await person.typeText("/", in: main)
            try await person.waitFor(.row("Greeting, Dear Ada"))
            try await person.waitFor(.row("Bye"))
            try await person.typeText("gree", in: main)
            try await person.waitForAbsence(.row("Bye"))
            try await fixture.keepPicture(of: person, "finder")
            try await person.pressKeys("Return", in: main)
            // Typing replaces the first placeholder without a value, which is selected.
            try await person.typeText("the report", in: main)
            try await person.pressKeys("ctrl+Return", in: main)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: thread).last
                    == "1/2 is a number\nDear Ada, thank you for the report."
            }
            // Escape closes the list of canned responses and keeps the typed text.
            try await person.typeText("/by", in: main)
            try await person.waitFor(.row("Bye"))
            try await person.pressKeys("Escape", in: main)
            try await person.waitForAbsence(.row("Bye"))
            #expect(try await person.readText(.field("Your reply")).contains("/by"))
        }
    }

    private func respond(in thread: String, _ fixture: EndToEndFixture, _ person: DesktopUser) async throws {
        let added = try await fixture.daemon.ctl(
            "canned", "add", "--title", "Thanks", "Thank you, {{name}}.", "--account", "work")
        #expect(added.code == 0, "\(added)")
        try await person.click(.button("Canned Responses"))
        try await person.click(.button("Preview “Thanks”", in: "Canned Responses"))
        try await person.waitFor(.anything("Thank you, Ada.", in: "Canned Responses"))
        try await fixture.keepPicture(of: person, "canned")
        try await person.click(.button("Send to the User", in: "Canned Responses"))
        try await person.waitFor(.row("Thank you, Ada."))
        try await eventually("the user has the canned response") {
            try await fixture.sandbox.fetchTexts(in: thread).contains("Thank you, Ada.")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An agent can renew an ended session on the conversation page, and the draft is kept`()
        async throws
    {
        try await inFrontOfKimsWindow { fixture, person, _, kim in
            let thread = try await fixture.daemon.startConversation(
                "It crashes", "Each time I print", account: "shop")
            try await show(thread, fixture, person)
            try await person.enterText("Dear Ada", into: .field("Your reply"))
            #expect(try await fixture.daemon.ctl("signout", "--account", "work").code == 0)
            try await person.waitFor(.anything("You Are Not Signed In"))
            try await person.waitForAbsence(.field("Your reply"))
            try await fixture.keepPicture(of: person, "signed-out")
            let former = try codes(fixture).count
            try await person.waitFor(window: "Cuti-E")
            try await person.click(.button("Sign In with a Code"))
            let code = try await person.readText(.anything("Code: "))
            try await fixture.keepPicture(of: person, "code")
            // The focused window already shows the code, so no notification shows it again.
            #expect(try codes(fixture).count == former)
            for key in ["ctrl+w", "ctrl+q"] {
                try await person.pressKeys(key, in: "Cuti-E")
                try await person.click(.button("Keep Waiting"))
                try await person.waitForAbsence(.button("Keep Waiting"))
            }
            try await kim.allow(code, at: fixture.sandbox)
            try await person.waitFor(.row("Each time I print"))
            #expect(try await person.readText(.field("Your reply")).contains("Dear Ada"))
        }
    }

    /// Returns the device codes that notifications have shown.
    private func codes(_ fixture: EndToEndFixture) throws -> [String] {
        let words = "Your code: "
        return try fixture.notificationServer.notifications.map(\.summary).filter { $0.hasPrefix(words) }
            .map { String($0.dropFirst(words.count)) }
    }

    private func show(_ thread: String, _ fixture: EndToEndFixture, _ person: DesktopUser) async throws {
        let link = "cutie://conversation/\(thread)?account=work"
        #expect(try await fixture.showWindow(link, person).exit() == 0)
        try await person.waitFor(.row("Each time I print"))
    }
}
