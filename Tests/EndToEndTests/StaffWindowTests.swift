import Foundation
import TestSupport
import Testing

/// Tests of the window with a staff account.
@Suite struct `Support staff in the window` {
    @Test(.timeLimit(.minutes(10)))
    func `An agent assigns a conversation, adds a note, sends a canned response and sees the statistics`()
        async throws
    {
        try await withStaffWindow { fixture, user, _, _ in
            let thread = try await fixture.daemon.startConversation(
                "It crashes", "Each time I print", account: "shop")
            try await show(thread, fixture, user)
            try await user.click(.button("Assign to Me"))
            try await eventually("the conversation is assigned") {
                try await fixture.daemon.ctl("show", thread, "--account", "work", "--json").output
                    .contains(#""assignedAdminId""#)
            }
            try await fixture.saveScreenshot(of: user, "staff-open")
            try await user.click(.anything("Internal Note"))
            try await user.enterText("Known since 1.2", into: .field("Internal note"))
            try await user.click(.button("Add Note"))
            try await user.waitFor(.row("Known since 1.2"))
            try await fixture.saveScreenshot(of: user, "staff-note")
            try await respond(in: thread, fixture, user)
            try await eventually("the user reads the answer, and no note") {
                let shown = try await fixture.daemon.ctl("show", thread, "--account", "shop").output
                return shown.contains("Thank you, Ada.") && !shown.contains("Known since")
            }
            try await user.openPage("Statistics", in: "Support")
            try await user.waitFor(.anything("By Status", in: "Statistics"))
            try await fixture.saveScreenshot(of: user, "statistics")
            try await user.openPage("Home", in: "Support")
            try await user.waitFor(.anything(", Kim", in: "Home"))
            try await fixture.saveScreenshot(of: user, "home")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An agent can assign and answer waiting conversations without a mouse`() async throws {
        try await withStaffWindow { fixture, user, _, _ in
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
            try await show(first, fixture, user)
            try await user.pressKeys("ctrl+3", in: main)
            try await user.waitFor(.anything("Waiting for Support"))
            try await user.waitFor(.row("Waiting since"))
            try await fixture.saveScreenshot(of: user, "staff-view")
            try await user.pressKeys("ctrl+shift+a", in: main)
            try await state(first, #""assignedAdminId""#)
            let mine = try await fixture.daemon.ctl("inbox", "--view", "mine").output
            #expect(mine.contains(first) && !mine.contains(second))
            try await user.pressKeys("ctrl+shift+r", in: main)
            try await eventually("no agent is assigned") {
                try await !fixture.daemon.ctl("inbox", "--view", "mine").output.contains(first)
            }
            // The list begins with the newest conversation, so the key selects the second conversation.
            try await user.pressKeys("alt+Up", in: main)
            try await user.waitFor(.row("Ada, It is blue"))
            try await user.pressKeys("ctrl+r", in: main)
            try await user.typeText("Green is better", in: main)
            try await user.pressKeys("ctrl+shift+Return", in: main)
            try await state(second, #""status":"resolved""#)
            // After a conversation is resolved, the next conversation is open. Undo reopens the resolved
            // conversation.
            try await user.click(.button("Undo"))
            try await state(second, #""status":"open""#)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: second).contains("Green is better")
            }
            try await fixture.saveScreenshot(of: user, "staff-reopened")
            try await user.pressKeys("ctrl+e", in: main)
            try await state(second, #""status":"resolved""#)
            try await user.pressKeys("ctrl+t", in: main)
            try await user.typeText("crash", in: main)
            try await user.pressKeys("Return", in: main)
            try await state(first, "crash")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An agent can snooze a conversation, can find it again, and is notified when the snooze ends`()
        async throws
    {
        try await withStaffWindow { fixture, user, _, _ in
            let main = "Cuti-E"
            let thread = try await fixture.daemon.startConversation(
                "Aside", "Each time I print", account: "shop")
            try await show(thread, fixture, user)
            // The view of snoozed conversations hides the open conversation. Pressing the key again leaves
            // the view.
            try await user.waitFor(.row("shop"))
            try await user.pressKeys("ctrl+5", in: main)
            try await user.waitForAbsence(.row("shop"))
            try await fixture.saveScreenshot(of: user, "snoozed-view")
            try await user.pressKeys("ctrl+5", in: main)
            try await user.waitFor(.row("shop"))
            // Space must not open the feedback form: the focus stays in the list even if the focused row
            // disappears.
            try await user.pressKeys("alt+Left", "ctrl+1", "ctrl+1", "space", in: main)
            try await user.waitFor(.row("shop"))
            try await user.waitForAbsence(.frame("New Feedback"))
            try await user.waitForAbsence(DesktopUser.Target(role: "filler", name: "New Feedback"))
            func chooses(_ item: String) async throws {
                try await user.click(.button("Conversation Conversation"))
                try await user.click(.menuItem("Snooze"))
                try await fixture.saveScreenshot(of: user, "snooze-menu")
                try await user.click(.menuItem(item))
            }
            try await chooses("Next Week")
            try await user.waitFor(.row("Snoozed until"))
            try await fixture.saveScreenshot(of: user, "snoozed")
            let waiting = try await fixture.daemon.ctl("inbox", "--view", "waiting").output
            #expect(!waiting.contains(thread))
            let snoozed = try await fixture.daemon.ctl("inbox", "--view", "snoozed").output
            #expect(snoozed.contains(thread) && snoozed.contains("open, snoozed until"))
            try await user.click(.button("Conversation Conversation"))
            try await user.click(.menuItem("End Snooze"))
            try await eventually("the conversation waits again") {
                try await fixture.daemon.ctl("inbox", "--view", "waiting").output.contains(thread)
            }
            // Opens another conversation, because the user is notified of the end of a snooze only if the
            // conversation is not open.
            let other = try await fixture.daemon.startConversation("Other", "Another", account: "shop")
            try await show(other, fixture, user, text: "Another")
            let verb = try await fixture.daemon.ctl("snooze", thread, "5s", "--account", "work")
            #expect(verb.code == 0, "\(verb)")
            try await eventually("the end of the snooze is shown") {
                try fixture.notificationServer.notifications.contains { $0.summary == "Aside" }
            }
            try await user.openPage("Settings")
            try await user.waitFor(.anything("Remind Me When Users Are Waiting", in: "Settings"))
            try await fixture.saveScreenshot(of: user, "settings-reminders")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Typing a slash at the start of a line searches the canned responses`() async throws {
        try await withStaffWindow { fixture, user, _, _ in
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
            try await show(thread, fixture, user)
            try await user.pressKeys("ctrl+r", in: main)
            try await user.typeText("1/2 is a number", in: main)
            try await user.waitForAbsence(.row("Greeting"))
            try await user.pressKeys("Return", in: main)
            try await user.typeText("/", in: main)
            try await user.waitFor(.row("Greeting, Dear Ada"))
            try await user.waitFor(.row("Bye"))
            try await user.typeText("gree", in: main)
            try await user.waitForAbsence(.row("Bye"))
            try await fixture.saveScreenshot(of: user, "finder")
            try await user.pressKeys("Return", in: main)
            try await eventually("the response is inserted") {
                try await user.readText(.field("Your reply")).contains("Dear Ada")
            }
            // The first placeholder without a value is selected, so typing replaces it.
            try await user.typeText("the report", in: main)
            try await user.pressKeys("ctrl+Return", in: main)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: thread).last
                    == "1/2 is a number\nDear Ada, thank you for the report."
            }
            // Escape closes the list of canned responses and keeps the typed text.
            try await user.typeText("/by", in: main)
            try await user.waitFor(.row("Bye"))
            try await user.pressKeys("Escape", in: main)
            try await user.waitForAbsence(.row("Bye"))
            #expect(try await user.readText(.field("Your reply")).contains("/by"))
        }
    }

    private func respond(in thread: String, _ fixture: EndToEndFixture, _ user: DesktopUser) async throws {
        let added = try await fixture.daemon.ctl(
            "canned", "add", "--title", "Thanks", "Thank you, {{name}}.", "--account", "work")
        #expect(added.code == 0, "\(added)")
        try await user.click(.button("Canned Responses"))
        try await user.click(.button("Preview “Thanks”", in: "Canned Responses"))
        try await user.waitFor(.anything("Thank you, Ada.", in: "Canned Responses"))
        try await fixture.saveScreenshot(of: user, "canned")
        try await user.click(.button("Send to the User", in: "Canned Responses"))
        try await user.waitFor(.row("Thank you, Ada."))
        try await eventually("the user has the canned response") {
            try await fixture.sandbox.fetchTexts(in: thread).contains("Thank you, Ada.")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An agent can renew an ended session on the conversation page, and the draft is kept`()
        async throws
    {
        try await withStaffWindow { fixture, user, _, kim in
            let thread = try await fixture.daemon.startConversation(
                "It crashes", "Each time I print", account: "shop")
            try await show(thread, fixture, user)
            try await user.enterText("Dear Ada", into: .field("Your reply"))
            #expect(try await fixture.daemon.ctl("signout", "--account", "work").code == 0)
            try await user.waitFor(.anything("You Are Not Signed In"))
            try await user.waitForAbsence(.field("Your reply"))
            try await fixture.saveScreenshot(of: user, "signed-out")
            let former = try codes(fixture).count
            try await user.waitFor(window: "Cuti-E")
            try await user.click(.button("Sign In with a Code"))
            let code = try await user.readText(.anything("Code: "))
            try await fixture.saveScreenshot(of: user, "code")
            // The focused window already shows the code, so no notification shows it again.
            #expect(try codes(fixture).count == former)
            for key in ["ctrl+w", "ctrl+q"] {
                try await user.pressKeys(key, in: "Cuti-E")
                try await user.click(.button("Keep Waiting"))
                try await user.waitForAbsence(.button("Keep Waiting"))
            }
            // The dialog closes when the sign-in succeeds, because nothing is left to cancel.
            try await user.pressKeys("ctrl+w", in: "Cuti-E")
            try await user.waitFor(.button("Keep Waiting"))
            try await kim.allow(code, at: fixture.sandbox)
            try await user.waitForAbsence(.button("Keep Waiting"))
            try await user.waitFor(.row("Each time I print"))
            #expect(try await user.readText(.field("Your reply")).contains("Dear Ada"))
        }
    }

    /// Returns the device codes that notifications have shown.
    private func codes(_ fixture: EndToEndFixture) throws -> [String] {
        let words = "Your code: "
        return try fixture.notificationServer.notifications.map(\.summary).filter { $0.hasPrefix(words) }
            .map { String($0.dropFirst(words.count)) }
    }

    private func show(
        _ thread: String, _ fixture: EndToEndFixture, _ user: DesktopUser, text: String = "Each time I print"
    ) async throws {
        let link = "cutie://conversation/\(thread)?account=work"
        #expect(try await fixture.showWindow(link, user).waitForExit() == 0)
        try await user.waitFor(.row("Ada, " + text))
    }
}
