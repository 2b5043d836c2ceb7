import Foundation
import TestSupport
import Testing

/// Tests that press each key listed in the shortcuts window, in every window with a text view.
@Suite struct `Keys in the windows` {
    private static let main = "Cuti-E"
    private static let form = "New Feedback"
    /// With GTK 4.8, libadwaita windows have the accessibility role `filler`.
    private static let formWindow = DesktopUser.Target(role: "filler", name: form)

    /// Returns the keys that `shortcuts.ui` lists, with their names in xdotool.
    static func listedKeys() throws -> Set<String> {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Features/Window/Pages/shortcuts.ui")
        let text = try String(contentsOf: file, encoding: .utf8)
        let names = ["&lt;Control&gt;": "ctrl+", "&lt;Shift&gt;": "shift+", "&lt;Alt&gt;": "alt+"]
        return Set(
            text.matches(of: /name="accelerator">([^<]+)</).map { match in
                names.reduce(String(match.output.1)) { $0.replacing($1.key, with: $1.value) }
            })
    }

    @Test(.timeLimit(.minutes(10)))
    func `Each key has the effect that the shortcuts window describes`() async throws {
        try await withInboxWindow(closes: true) { fixture, user, window in
            let pressed: Set = [
                "ctrl+n", "ctrl+f", "Return", "alt+Left", "ctrl+r", "ctrl+Return", "ctrl+shift+n", "ctrl+c",
                "ctrl+s", "F10", "ctrl+comma", "ctrl+question", "ctrl+w", "ctrl+q",
                "alt+Down", "alt+Up", "ctrl+shift+a", "ctrl+shift+r", "ctrl+e", "ctrl+shift+Return", "ctrl+t",
                "ctrl+1", "ctrl+2", "ctrl+3", "ctrl+4", "ctrl+5", "ctrl+k",
            ]
            #expect(try Self.listedKeys() == pressed)
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, user).waitForExit() == 0)
            try await user.waitFor(.row("You, The first"))
            try await write(fixture, user, in: thread)
            try await user.pressKeys("ctrl+f", in: Self.main)
            try await user.waitFor(DesktopUser.Target(role: "entry", name: "Search in conversations"))
            try await user.pressKeys("Escape", in: Self.main)
            try await user.pressKeys("F10", in: Self.main)
            try await user.waitFor(.menuItem("Settings"))
            try await user.pressKeys("Escape", in: Self.main)
            try await user.pressKeys("ctrl+comma", in: Self.main)
            try await user.waitFor(window: "Settings")
            try await user.pressKeys("Escape", in: "Settings")
            try await user.pressKeys("ctrl+question", in: Self.main)
            try await user.waitFor(window: "Keyboard Shortcuts")
            try await user.pressKeys("Escape", in: "Keyboard Shortcuts")
            try await user.pressKeys(
                "ctrl+r", "ctrl+shift+n", "ctrl+c", "alt+Left", "Return", in: Self.main)
            try await user.pressKeys(
                "alt+Down", "alt+Up", "ctrl+shift+a", "ctrl+e", "ctrl+t", "ctrl+1", "ctrl+4", in: Self.main)
            // The staff keys have no effect in a device account, and the copy key has no effect without a
            // focused message.
            #expect(
                try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "By keys", "Two\nlines"])
            try await user.waitFor(.row("By keys"))
            #expect(window.isRunning, "\(window.standardError)")
            try await user.pressKeys("ctrl+w", in: Self.main)
            #expect(try await window.waitForExit() == 0, "\(window.standardError)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Ctrl+K finds a conversation by its title, and Return opens it with the reply field focused`()
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            let first = try await fixture.daemon.startConversation("Printing fails", "The first")
            let second = try await fixture.daemon.startConversation("Blue screen", "Printing in the second")
            #expect(try await fixture.showWindow(second, user).waitForExit() == 0)
            try await user.waitFor(.row("Printing in the second"))
            // Ctrl+K must also work in the reply field and preserve the typed text.
            try await user.pressKeys("ctrl+r", in: Self.main)
            try await user.typeText("draft", in: Self.main)
            try await user.pressKeys("ctrl+k", in: Self.main)
            try await user.waitFor(DesktopUser.Target(role: "entry", name: "Go to Conversation"))
            try await user.typeText("print", in: Self.main)
            try await user.waitFor(.row("Printing fails, Conversation"))
            try await user.waitForAbsence(.row("Blue screen, Conversation"))
            try await fixture.saveScreenshot(of: user, "go-to")
            try await user.pressKeys("Return", in: Self.main)
            try await user.waitFor(.row("You, The first"))
            try await user.waitForAbsence(DesktopUser.Target(role: "entry", name: "Go to Conversation"))
            try await user.typeText("By keys", in: Self.main)
            try await user.pressKeys("ctrl+Return", in: Self.main)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: first) == ["The first", "By keys"]
            }
            #expect(try await fixture.sandbox.fetchTexts(in: second) == ["Printing in the second"])
            // If the user presses Return directly after typing, the match for the complete text must open.
            // Escape must not open a conversation.
            try await user.pressKeys("ctrl+k", in: Self.main)
            try await user.typeText("blue", in: Self.main)
            try await user.pressKeys("Return", in: Self.main)
            try await user.waitFor(.row("Printing in the second"))
            #expect(try await user.readText(.field("Your reply")).contains("draft"))
            try await user.pressKeys("ctrl+k", in: Self.main)
            try await user.typeText("nothing like this", in: Self.main)
            try await user.waitFor(.anything("No conversation matches"))
            try await user.pressKeys("Return", "Escape", in: Self.main)
            try await user.waitFor(.row("Printing fails"))
            try await user.pressKeys("ctrl+f", in: Self.main)
            try await user.waitFor(DesktopUser.Target(role: "entry", name: "Search in conversations"))
        }
    }

    private func write(_ fixture: EndToEndFixture, _ user: DesktopUser, in thread: String) async throws {
        try await user.pressKeys("ctrl+r", in: Self.main)
        try await user.typeText("By keys", in: Self.main)
        try await user.pressKeys("ctrl+Return", in: Self.main)
        try await user.waitFor(.row("By keys"))
        try await user.typeText("Two", in: Self.main)
        try await user.pressKeys("Return", in: Self.main)
        try await user.typeText("lines", in: Self.main)
        try await user.pressKeys("ctrl+KP_Enter", in: Self.main)
        try await eventually("all messages") {
            try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "By keys", "Two\nlines"]
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Enter sends the message and Shift+Enter inserts a line break if "Enter sends" is enabled`()
        async throws
    {
        try await withInboxWindow(closes: true) { fixture, user, window in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, user).waitForExit() == 0)
            try await user.waitFor(.row("You, The first"))
            func writesTwoLines() async throws {
                try await user.pressKeys("ctrl+r", in: Self.main)
                try await user.typeText("One", in: Self.main)
                try await user.pressKeys("shift+Return", in: Self.main)
                try await user.typeText("two", in: Self.main)
            }
            try await user.openPage("Settings")
            try await user.press(
                "space",
                in: DesktopUser.Target(role: "check box", name: "Enter Key Sends Messages", frame: "Settings")
            )
            try await eventually("the setting in the file") {
                try String(contentsOfFile: fixture.daemon.configurationFile, encoding: .utf8)
                    .contains("enter_sends: true")
            }
            try await user.pressKeys("Escape", in: "Settings")
            try await user.waitForAbsence(.frame("Settings"))
            try await writesTwoLines()
            // The field is empty after the first Return, so the other keys send nothing.
            try await user.pressKeys("Return", "Return", "KP_Enter", in: Self.main)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "One\ntwo"]
            }
            try await fixture.saveScreenshot(of: user, "enter-sends")
            // The setting must also apply to the next window. Ctrl+Enter always sends.
            try await user.pressKeys("ctrl+q", in: Self.main)
            #expect(try await window.waitForExit() == 0, "\(window.standardError)")
            let next = try fixture.showWindow(thread, user)
            try await user.waitFor(.row("two"))
            try await writesTwoLines()
            try await user.pressKeys("ctrl+Return", in: Self.main)
            try await writesTwoLines()
            try await user.pressKeys("KP_Enter", in: Self.main)
            try await eventually("all messages") {
                try await fixture.sandbox.fetchTexts(in: thread)
                    == ["The first", "One\ntwo", "One\ntwo", "One\ntwo"]
            }
            next.signal(SIGTERM)
            try await next.waitForExit()
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["ctrl+Return", "ctrl+KP_Enter"])
    func `Ctrl+Enter sends the feedback form, and no other key discards the typed text`(send: String)
        async throws
    {
        try await withInboxWindow(closes: true) { fixture, user, window in
            try await user.click(.button("Write Feedback"))
            try await user.waitFor(Self.formWindow)
            // The key works because the text view has the focus.
            try await user.pressKeys(send, in: Self.form)
            try await user.waitFor(.anything("Your message is empty", in: Self.form))
            try await user.typeText("It crashes", in: Self.form)
            // Excludes Ctrl+Shift+U, which starts GTK's Unicode input and captures the following keys, and
            // Ctrl+Shift+Enter, which inserts a line break.
            let others = try Self.listedKeys().subtracting([
                "ctrl+Return", "Return", "F10", "ctrl+question", "ctrl+comma", "ctrl+shift+u",
                "ctrl+shift+Return",
            ])
            for key in others.subtracting(["ctrl+w", "ctrl+q"]).sorted() {
                try await user.pressKeys(key, in: Self.form)
            }
            for key in ["ctrl+w", "ctrl+q", "Escape"] {
                try await user.pressKeys(key, in: Self.form)
                try await user.click(.button("Keep Editing"))
                try await user.waitForAbsence(.button("Keep Editing"))
            }
            #expect(window.isRunning, "\(window.standardError)")
            try await fixture.saveScreenshot(of: user, "form-keys")
            try await user.pressKeys(send, in: Self.form)
            try await eventually("the feedback") { try await fixture.sandbox.fetchThreads().count == 1 }
            let thread = try #require(try await fixture.sandbox.fetchThreads().first).conversation_id
            #expect(try await fixture.sandbox.fetchTexts(in: thread) == ["It crashes"])
            try await user.waitForAbsence(Self.formWindow)
            try await user.pressKeys("ctrl+q", in: Self.main)
            #expect(try await window.waitForExit() == 0, "\(window.standardError)")
        }
    }

    /// A form that adds an account. The raw value is the title of the window.
    enum SetupForm: String, Sendable, CaseIterable {
        case first = "Cuti-E"
        case additional = "Add Account"
    }

    @Test(.timeLimit(.minutes(10)), arguments: SetupForm.allCases)
    func `A setup form that contains text is closed only after a confirmation`(form: SetupForm) async throws {
        try await EndToEndFixture.with({ $0.isConnected = form == .additional }) { fixture in
            let title = form.rawValue
            if form == .first { try FileManager.default.removeItem(atPath: fixture.daemon.configurationFile) }
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let page = form == .additional ? ["--page", "add-account"] : []
            let window = try fixture.startWindow(page, user)
            let field = DesktopUser.Target(role: "text", name: "App ID or Link", frame: title)
            try await user.enterText("app_1", into: field)
            for key in ["ctrl+w", "ctrl+q"] + (form == .additional ? ["Escape"] : []) {
                try await user.pressKeys(key, in: title)
                try await user.waitFor(.anything("Discard Changes?"))
                if key == "ctrl+q" { try await fixture.saveScreenshot(of: user, "discard-\(form)") }
                try await user.click(.button("Keep Editing"))
                try await user.waitForAbsence(.button("Keep Editing"))
            }
            #expect(try await user.readText(field) == "app_1")
            // Opening another page must not replace the form.
            #expect(try await fixture.startWindow(["--page", "settings"], user).waitForExit() == 0)
            try await user.waitFor(.frame("Settings"))
            #expect(try await user.readText(field) == "app_1")
            try await user.pressKeys("ctrl+w", in: title)
            try await user.click(.button("Discard"))
            if form == .first {
                #expect(try await window.waitForExit() == 0, "\(window.standardError)")
            } else {
                try await user.waitForAbsence(.frame(title))
                #expect(window.isRunning, "\(window.standardError)")
                window.signal(SIGTERM)
                try await window.waitForExit()
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Ctrl+Enter adds a canned response only if it has a title and text`() async throws {
        let page = "Canned Responses"
        try await withStaffWindow { fixture, user, _, _ in
            let thread = try await fixture.daemon.startConversation(
                "It crashes", "Each time I print", account: "shop")
            let link = "cutie://conversation/\(thread)?account=work"
            #expect(try await fixture.showWindow(link, user).waitForExit() == 0)
            try await user.waitFor(.row("Each time I print"))
            for (title, text, isAdded) in [("Hi", "", false), ("", "Hello", false), ("Hi", "Hello", true)] {
                try await user.click(.button("Canned Responses"))
                try await user.click(.button("New Canned Response", in: page))
                try await user.enterText(
                    title, into: DesktopUser.Target(role: "text", name: "Title", frame: page))
                try await user.enterText(
                    text, into: DesktopUser.Target(role: "text", name: "Text", frame: page))
                try await user.pressKeys("ctrl+Return", in: page)
                if !isAdded {
                    try await user.waitFor(.button("Add", in: page))
                    for key in ["Escape", "ctrl+w", "ctrl+q"] {
                        try await user.pressKeys(key, in: page)
                        try await user.click(.button("Keep Editing"))
                        try await user.waitForAbsence(.button("Keep Editing"))
                    }
                    try await user.pressKeys("Escape", in: page)
                    try await user.click(.button("Discard"))
                }
                try await user.waitForAbsence(.frame(page))
            }
            try await eventually("the response") {
                let list = try await fixture.daemon.ctl("canned", "list", "--account", "work", "--json")
                    .output
                return list.contains(#""content":"Hello""#) && list.contains(#""title":"Hi""#)
                    && !list.contains(#""title":"""#) && !list.contains(#""content":"""#)
            }
        }
    }
}
