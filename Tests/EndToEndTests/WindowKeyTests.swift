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
        try await inFrontOfTheWindow(closes: true) { fixture, person, window in
            let pressed: Set = [
                "ctrl+n", "ctrl+f", "Return", "alt+Left", "ctrl+r", "ctrl+Return", "ctrl+shift+n", "ctrl+c",
                "ctrl+s", "F10", "ctrl+comma", "ctrl+question", "ctrl+w", "ctrl+q",
                "alt+Down", "alt+Up", "ctrl+shift+a", "ctrl+shift+r", "ctrl+e", "ctrl+shift+Return", "ctrl+t",
                "ctrl+1", "ctrl+2", "ctrl+3", "ctrl+4", "ctrl+5", "ctrl+k",
            ]
            #expect(try Self.listedKeys() == pressed)
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, person).exit() == 0)
            try await person.waitFor(.row("The first"))
            try await write(fixture, person, in: thread)
            try await person.pressKeys("ctrl+f", in: Self.main)
            try await person.waitFor(DesktopUser.Target(role: "entry", name: "Search in conversations"))
            try await person.pressKeys("Escape", in: Self.main)
            try await person.pressKeys("F10", in: Self.main)
            try await person.waitFor(.menuItem("Settings"))
            try await person.pressKeys("Escape", in: Self.main)
            try await person.pressKeys("ctrl+comma", in: Self.main)
            try await person.waitFor(window: "Settings")
            try await person.pressKeys("Escape", in: "Settings")
            try await person.pressKeys("ctrl+question", in: Self.main)
            try await person.waitFor(window: "Keyboard Shortcuts")
            try await person.pressKeys("Escape", in: "Keyboard Shortcuts")
            try await person.pressKeys(
                "ctrl+r", "ctrl+shift+n", "ctrl+c", "alt+Left", "Return", in: Self.main)
            try await person.pressKeys(
                "alt+Down", "alt+Up", "ctrl+shift+a", "ctrl+e", "ctrl+t", "ctrl+1", "ctrl+4", in: Self.main)
            // The staff keys have no effect in a device account, and the copy key has none without a focused
            // message.
            #expect(
                try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "By keys", "Two\nlines"])
            try await person.waitFor(.row("By keys"))
            #expect(window.isRunning, "\(window.standardError)")
            try await person.pressKeys("ctrl+w", in: Self.main)
            #expect(try await window.exit() == 0, "\(window.standardError)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Ctrl+K finds a conversation by its title, and Return opens it with the reply field focused`()
        async throws
    {
        try await inFrontOfTheWindow { fixture, person, _ in
            let first = try await fixture.daemon.startConversation("Printing fails", "The first")
            let second = try await fixture.daemon.startConversation("Blue screen", "Printing in the second")
            #expect(try await fixture.showWindow(second, person).exit() == 0)
            try await person.waitFor(.row("Printing in the second"))
            // Ctrl+K must also work in the reply field and preserve the typed text.
            try await person.pressKeys("ctrl+r", in: Self.main)
            try await person.typeText("draft", in: Self.main)
            try await person.pressKeys("ctrl+k", in: Self.main)
            try await person.waitFor(DesktopUser.Target(role: "entry", name: "Go to Conversation"))
            try await person.typeText("print", in: Self.main)
            try await person.waitFor(.row("Printing fails, Conversation"))
            try await person.waitForAbsence(.row("Blue screen, Conversation"))
            try await fixture.keepPicture(of: person, "go-to")
            try await person.pressKeys("Return", in: Self.main)
            try await person.waitFor(.row("The first"))
            try await person.waitForAbsence(DesktopUser.Target(role: "entry", name: "Go to Conversation"))
            try await person.typeText("By keys", in: Self.main)
            try await person.pressKeys("ctrl+Return", in: Self.main)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: first) == ["The first", "By keys"]
            }
            #expect(try await fixture.sandbox.fetchTexts(in: second) == ["Printing in the second"])
            // If the user presses Return directly after typing, the match for the complete text must open.
            // Escape must not open a conversation.
            try await person.pressKeys("ctrl+k", in: Self.main)
            try await person.typeText("blue", in: Self.main)
            try await person.pressKeys("Return", in: Self.main)
            try await person.waitFor(.row("Printing in the second"))
            #expect(try await person.readText(.field("Your reply")).contains("draft"))
            try await person.pressKeys("ctrl+k", in: Self.main)
            try await person.typeText("nothing like this", in: Self.main)
            try await person.waitFor(.anything("No conversation matches"))
            try await person.pressKeys("Return", "Escape", in: Self.main)
            try await person.waitFor(.row("Printing fails"))
            try await person.pressKeys("ctrl+f", in: Self.main)
            try await person.waitFor(DesktopUser.Target(role: "entry", name: "Search in conversations"))
        }
    }

    private func write(_ fixture: EndToEndFixture, _ person: DesktopUser, in thread: String) async throws {
        try await person.pressKeys("ctrl+r", in: Self.main)
        try await person.typeText("By keys", in: Self.main)
        try await person.pressKeys("ctrl+Return", in: Self.main)
        try await person.waitFor(.row("By keys"))
        try await person.typeText("Two", in: Self.main)
        try await person.pressKeys("Return", in: Self.main)
        try await person.typeText("lines", in: Self.main)
        try await person.pressKeys("ctrl+KP_Enter", in: Self.main)
        try await eventually("all messages") {
            try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "By keys", "Two\nlines"]
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Enter sends the message and Shift+Enter inserts a line break if "Enter sends" is enabled`()
        async throws
    {
        try await inFrontOfTheWindow(closes: true) { fixture, person, window in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, person).exit() == 0)
            try await person.waitFor(.row("The first"))
            func writesTwoLines() async throws {
                try await person.pressKeys("ctrl+r", in: Self.main)
                try await person.typeText("One", in: Self.main)
                try await person.pressKeys("shift+Return", in: Self.main)
                try await person.typeText("two", in: Self.main)
            }
            try await person.opens("Settings")
            try await person.press(
                "space",
                in: DesktopUser.Target(role: "check box", name: "Enter Key Sends Messages", frame: "Settings")
            )
            try await eventually("the setting in the file") {
                try String(contentsOfFile: fixture.daemon.configurationFile, encoding: .utf8)
                    .contains("enter_sends: true")
            }
            try await person.pressKeys("Escape", in: "Settings")
            try await person.waitForAbsence(.frame("Settings"))
            try await writesTwoLines()
            // The field is empty after the first Return, so the other keys send nothing.
            try await person.pressKeys("Return", "Return", "KP_Enter", in: Self.main)
            try await eventually("the answer") {
                try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "One\ntwo"]
            }
            try await fixture.keepPicture(of: person, "enter-sends")
            // The setting must also apply to the next window. Ctrl+Enter always sends.
            try await person.pressKeys("ctrl+q", in: Self.main)
            #expect(try await window.exit() == 0, "\(window.standardError)")
            let next = try fixture.showWindow(thread, person)
            try await person.waitFor(.row("two"))
            try await writesTwoLines()
            try await person.pressKeys("ctrl+Return", in: Self.main)
            try await writesTwoLines()
            try await person.pressKeys("KP_Enter", in: Self.main)
            try await eventually("all messages") {
                try await fixture.sandbox.fetchTexts(in: thread)
                    == ["The first", "One\ntwo", "One\ntwo", "One\ntwo"]
            }
            next.signal(SIGTERM)
            try await next.exit()
        }
    }

    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["ctrl+Return", "ctrl+KP_Enter"])
    func `Ctrl+Enter sends the feedback form, and no other key discards the typed text`(send: String)
        async throws
    {
        try await inFrontOfTheWindow(closes: true) { fixture, person, window in
            try await person.click(.button("Write Feedback"))
            try await person.waitFor(Self.formWindow)
            // The key works because the text view has the focus.
            try await person.pressKeys(send, in: Self.form)
            try await person.waitFor(.anything("Your message is empty", in: Self.form))
            try await person.typeText("It crashes", in: Self.form)
            // Excludes Ctrl+Shift+U, which starts GTK's Unicode input and captures the following keys, and
            // Ctrl+Shift+Enter, which inserts a line break.
            let others = try Self.listedKeys().subtracting([
                "ctrl+Return", "Return", "F10", "ctrl+question", "ctrl+comma", "ctrl+shift+u",
                "ctrl+shift+Return",
            ])
            for key in others.subtracting(["ctrl+w", "ctrl+q"]).sorted() {
                try await person.pressKeys(key, in: Self.form)
            }
            for key in ["ctrl+w", "ctrl+q", "Escape"] {
                try await person.pressKeys(key, in: Self.form)
                try await person.click(.button("Keep Editing"))
                try await person.waitForAbsence(.button("Keep Editing"))
            }
            #expect(window.isRunning, "\(window.standardError)")
            try await fixture.keepPicture(of: person, "form-keys")
            try await person.pressKeys(send, in: Self.form)
            try await eventually("the feedback") { try await fixture.sandbox.fetchThreads().count == 1 }
            let thread = try #require(try await fixture.sandbox.fetchThreads().first).conversation_id
            #expect(try await fixture.sandbox.fetchTexts(in: thread) == ["It crashes"])
            try await person.waitForAbsence(Self.formWindow)
            try await person.pressKeys("ctrl+q", in: Self.main)
            #expect(try await window.exit() == 0, "\(window.standardError)")
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
            let person = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let page = form == .additional ? ["--page", "add-account"] : []
            let window = try fixture.startWindow(page, person)
            let field = DesktopUser.Target(role: "text", name: "App ID or Link", frame: title)
            try await person.enterText("app_1", into: field)
            for key in ["ctrl+w", "ctrl+q"] + (form == .additional ? ["Escape"] : []) {
                try await person.pressKeys(key, in: title)
                try await person.waitFor(.anything("Discard Changes?"))
                if key == "ctrl+q" { try await fixture.keepPicture(of: person, "discard-\(form)") }
                try await person.click(.button("Keep Editing"))
                try await person.waitForAbsence(.button("Keep Editing"))
            }
            #expect(try await person.readText(field) == "app_1")
            // Opening another page must not replace the form.
            #expect(try await fixture.startWindow(["--page", "settings"], person).exit() == 0)
            try await person.waitFor(.frame("Settings"))
            #expect(try await person.readText(field) == "app_1")
            try await person.pressKeys("ctrl+w", in: title)
            try await person.click(.button("Discard"))
            if form == .first {
                #expect(try await window.exit() == 0, "\(window.standardError)")
            } else {
                try await person.waitForAbsence(.frame(title))
                #expect(window.isRunning, "\(window.standardError)")
                window.signal(SIGTERM)
                try await window.exit()
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Ctrl+Enter adds a canned response only if it has a title and text`() async throws {
        let page = "Canned Responses"
        try await inFrontOfKimsWindow { fixture, person, _, _ in
            let thread = try await fixture.daemon.startConversation(
                "It crashes", "Each time I print", account: "shop")
            let link = "cutie://conversation/\(thread)?account=work"
            #expect(try await fixture.showWindow(link, person).exit() == 0)
            try await person.waitFor(.row("Each time I print"))
            for (title, text, isAdded) in [("Hi", "", false), ("", "Hello", false), ("Hi", "Hello", true)] {
                try await person.click(.button("Canned Responses"))
                try await person.click(.button("New Canned Response", in: page))
                try await person.enterText(
                    title, into: DesktopUser.Target(role: "text", name: "Title", frame: page))
                try await person.enterText(
                    text, into: DesktopUser.Target(role: "text", name: "Text", frame: page))
                try await person.pressKeys("ctrl+Return", in: page)
                if !isAdded {
                    try await person.waitFor(.button("Add", in: page))
                    for key in ["Escape", "ctrl+w", "ctrl+q"] {
                        try await person.pressKeys(key, in: page)
                        try await person.click(.button("Keep Editing"))
                        try await person.waitForAbsence(.button("Keep Editing"))
                    }
                    try await person.pressKeys("Escape", in: page)
                    try await person.click(.button("Discard"))
                }
                try await person.waitForAbsence(.frame(page))
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
