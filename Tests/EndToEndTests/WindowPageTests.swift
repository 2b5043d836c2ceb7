import Foundation
import TestSupport
import Testing

@Suite struct `Pages of the window` {
    @Test(.timeLimit(.minutes(10)))
    func `A changed setting takes effect immediately, and comments in the file are preserved`()
        async throws
    {
        let file = { (fixture: EndToEndFixture) in
            """
            # Mine, by hand
            app_id: \(fixture.sandbox.appID)
            api_url: \(fixture.sandbox.url) # not the real one
            OPENER
            notifications:
              # everything
              preview: full

            """
        }
        try await withInboxWindow(configuration: file) { fixture, user, _ in
            let before = try String(contentsOfFile: fixture.daemon.configurationFile, encoding: .utf8)
            try await user.openPage("Settings")
            try await fixture.saveScreenshot(of: user, "settings")
            // The row has no accessibility action that selects a value, so the test presses keys.
            try await user.press("space Down Return", in: .comboBox("Message Preview"))
            let after = before.replacing("preview: full", with: "preview: sender")
            try await eventually("the file") {
                try String(contentsOfFile: fixture.daemon.configurationFile, encoding: .utf8) == after
            }
            let conversation = try await fixture.daemon.startConversation("A secret")
            try await fixture.sandbox.reply("Hush", in: conversation)
            #expect(
                try await !fixture.notificationServer.waitForNotifications(atLeast: 1)[0].body.contains(
                    "Hush"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `The settings page shows a user name that another program changes while the page is open`()
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            try await user.openPage("Settings")
            let name = DesktopUser.Target(role: "text", name: "Name", frame: "Settings")
            #expect(try await fixture.daemon.ctl("user", "set", "--name", "Ada").code == 0)
            try await eventually("the name that ctl stored") { try await user.readText(name) == "Ada" }
            #expect(try await fixture.daemon.ctl("user", "clear").code == 0)
            let file = fixture.daemon.configurationFile
            let configuration = try String(contentsOfFile: file, encoding: .utf8)
            try ("user_name: Bo\n" + configuration).write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await eventually("the configured name") { try await user.readText(name) == "Bo" }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A question can be answered on the page "Questions"`() async throws {
        try await withInboxWindow(asksQuestions: true) { fixture, user, _ in
            #expect(try await fixture.startWindow(["--page", "questions"], user).waitForExit() == 0)
            try await user.waitFor(.frame("Questions"))
            try await fixture.saveScreenshot(of: user, "questions")
            try await user.click(.button("Turn Off", in: "Questions"))
            try await eventually("the answer") { try await !fixture.daemon.fetchStatus().notifications }
            try await user.waitFor(.anything("No Questions", in: "Questions"))
        }
    }

    @Test(
        .enabled(if: varlinkPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"),
        .timeLimit(.minutes(10)))
    func `The questions page shows an unverified app with a warning, and the user can allow the app`()
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            let app = try DeveloperExample.python.start(
                [fixture.sandbox.appID, "Where is the export?", fixture.sandbox.url],
                environment: fixture.daemon.environment)
            #expect(try await fixture.startWindow(["--page", "questions"], user).waitForExit() == 0)
            try await user.waitFor(.frame("Questions"))
            try await user.waitFor(.anything("Not verified: any program", in: "Questions"))
            try await fixture.saveScreenshot(of: user, "host-app")
            try await user.click(.button("Allow", in: "Questions"))
            try await user.waitFor(.anything("No Questions", in: "Questions"))
            try await eventually("the app's message arrives; \(app.standardError)") {
                try await !fixture.sandbox.fetchThreads().isEmpty
            }
            let thread = try #require(try await fixture.sandbox.fetchThreads().first)
            try await fixture.sandbox.reply("In the menu.", in: thread.conversation_id)
            #expect(try await app.waitForExit() == 0, "\(app.standardError)")
            #expect(app.lines.last?.hasSuffix(": In the menu.") == true, "\(app.lines)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `While offline, the outbox page lists pending messages, which can be cancelled`() async throws {
        try await withInboxWindow { fixture, user, _ in
            let thread = try await fixture.daemon.startConversation("Question", "The first")
            #expect(try await fixture.showWindow(thread, user).waitForExit() == 0)
            try await user.waitFor(.row("The first"))
            try await fixture.sandbox.stop()
            try await fixture.daemon.waitForStatus("the account is offline") { $0.state == "offline" }
            for words in ["Never mind", "But this"] {
                try await user.enterText(words, into: .field("Your reply"))
                try await user.click(.button("Send"))
                try await eventually("the message waits") {
                    try await fixture.daemon.fetchOutbox().contains { $0.text == words }
                }
            }
            try await user.openPage("Outbox")
            try await user.waitFor(.row("Never mind", in: "Outbox"))
            try await user.waitFor(.row("But this", in: "Outbox"))
            try await fixture.saveScreenshot(of: user, "outbox")
            try await user.click(.button("Cancel Sending", in: "Outbox"))
            try await user.waitForAbsence(.row("Never mind", in: "Outbox"))
            try await fixture.sandbox.start()
            try await user.waitFor(.anything("Outbox Is Empty", in: "Outbox"))
            #expect(try await fixture.sandbox.fetchTexts(in: thread) == ["The first", "But this"])
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A device can be linked with the displayed code, and both devices list each other`() async throws {
        try await withInboxWindow { fixture, user, _ in
            try await fixture.withLaptop { laptop in
                try await user.openPage("Linked Devices")
                try await user.waitFor(.anything("No other device shares this inbox"))
                try await user.click(.button("Show Code"))
                let code = try await user.readText(.anything("cutie_lt_"))
                try await fixture.saveScreenshot(of: user, "devices")
                #expect(try await laptop.ctl("link", "confirm", code, "--name", "laptop").code == 0)
                try await user.waitFor(.anything("Linked with laptop."))
                try await user.waitFor(.row("laptop", in: "Linked Devices"))
                try await user.waitFor(.anything("This computer", in: "Linked Devices"))
                #expect(try await laptop.devices() == fixture.daemon.devices())
                #expect(try await laptop.devices().count == 2)
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Opening a search result shows the message in its conversation`() async throws {
        try await withInboxWindow { fixture, user, _ in
            let thread = try await fixture.daemon.startConversation("Question", "How do I print?")
            _ = try await fixture.daemon.startConversation("Other", "How do I read?")
            try await fixture.sandbox.sendReplies((1...120).map { "Line \($0) of it" }, in: thread)
            try await fixture.sandbox.reply("And the end", in: thread)
            try await eventually("all messages") {
                try await fixture.daemon.fetchThread(thread).messages.count == 122
            }
            // Opens another conversation, so that the search result is not already visible.
            try await user.click(.row("Other"))
            try await user.waitFor(.row("How do I read?"))
            try await user.click(.button("Search"))
            try await user.enterText(
                "Line 3 of", into: DesktopUser.Target(role: "entry", name: "Search in conversations"))
            try await user.click(.row("Line 3 of it"))
            try await fixture.saveScreenshot(of: user, "search")
            try await user.waitFor(.row("Support, Line 3 of it"))
            try await fixture.saveScreenshot(of: user, "found")
            try await user.waitForAbsence(.row("Support, And the end"))
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `An account can be added in the settings, and the window shows its conversations`() async throws {
        let club = try await SandboxFixture(appID: "app_club")
        let page = "Add Account"
        try await withInboxWindow { fixture, user, _ in
            let before = try String(contentsOfFile: fixture.daemon.configurationFile, encoding: .utf8)
            _ = try await fixture.daemon.startConversation("Question", "The first app")
            try await user.openPage("Settings")
            try await user.click(.button(page, in: "Settings"))
            let link = "cutie://setup?app_id=app_club&api_url=\(club.url)"
            try await user.enterText(
                link, into: DesktopUser.Target(role: "text", name: "App ID", frame: page))
            try await fixture.saveScreenshot(of: user, "add-account")
            try await user.click(.button("Add", in: page))
            try await user.waitForAbsence(.frame(page))
            try await fixture.daemon.waitForStatus("both accounts are connected") { status in
                status.accounts.count == 2 && status.accounts.allSatisfy { $0.state == "connected" }
            }
            let after = try String(contentsOfFile: fixture.daemon.configurationFile, encoding: .utf8)
            #expect(after.contains("app_club") && after.contains(fixture.sandbox.appID))
            #expect(before.split(separator: "\n").allSatisfy { after.contains($0) })
            let added = try #require(
                try await fixture.daemon.fetchStatus().accounts.last { $0.name != "default" })
            _ = try await fixture.daemon.startConversation("Club", "The second app", account: added.name)
            try await user.waitFor(.row("Club"))
            try await user.waitFor(.row("Question"))
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: LinkEntry.allCases)
    func `While the daemon runs without an account, a setup link fills in the first page`(
        entry: LinkEntry
    ) async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try FileManager.default.removeItem(atPath: fixture.daemon.configurationFile)
            try await fixture.daemon.start()
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let link = "cutie://setup?app_id=\(fixture.sandbox.appID)&api_url=\(fixture.sandbox.url)"
            let window = try fixture.startWindow(entry == .clicked ? [link] : [], user)
            let field = DesktopUser.Target(role: "text", name: "App ID or Link", frame: "Cuti-E")
            if entry == .typed {
                // The field is focused when the window opens.
                try await user.waitFor(field)
                try await user.typeText(link, in: "Cuti-E")
            }
            // A typed link stays in the field, because a part of a link may be valid before the user has
            // typed the complete link.
            try await eventually("the field is filled in") {
                try await user.readText(field) == (entry == .typed ? link : fixture.sandbox.appID)
            }
            try await user.click(.button("Start"))
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.fetchStatus().accounts.map(\.apiUrl) == [fixture.sandbox.url])
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }

    /// The way in which a link reaches a window without an account.
    enum LinkEntry: String, Sendable, CaseIterable {
        case typed, clicked
    }

    @Test(.timeLimit(.minutes(10)), arguments: LinkEntry.allCases)
    func `An app link requires no App ID, and opening the link on the first page starts the daemon`(
        entry: LinkEntry
    ) async throws {
        try await EndToEndFixture.with { fixture in
            _ = try await fixture.daemon.startConversation("From the host")
            struct Pass: Decodable, Sendable { let link: String }
            let link = try await fixture.daemon.control.call("HandOverApp", as: Pass.self).link
            let app = try DaemonFixture(session: fixture.bus.environment, configuration: nil)
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            // Without a user manager, the window starts the program `cutied` in PATH.
            let directory = try BuiltProduct.path(of: "cutied").dropLast("/cutied".count)
            let window = try SpawnedProgram(
                BuiltProduct.path(of: "cutied-inbox"), entry == .clicked ? [link] : [],
                environment: app.environment.merging(user.environment) { $1 }
                    .merging(["PATH": directory + ":/usr/bin:/bin"]) { $1 })
            let field = DesktopUser.Target(role: "text", name: "App ID or Link", frame: "Cuti-E")
            if entry == .typed { try await user.enterText(link, into: field) }
            try await eventually("the field contains the link") { try await user.readText(field) == link }
            try await fixture.saveScreenshot(of: user, "link-\(entry)")
            try await user.click(.button("Start"))
            try await user.waitFor(.anything("Add the conversations of Sandbox?"))
            try await fixture.saveScreenshot(of: user, "link-question-\(entry)")
            try await user.click(.button("Allow"))
            try await user.waitFor(.row("From the host"))
            try await fixture.saveScreenshot(of: user, "link-inbox-\(entry)")
            // Kills the daemon that the window started, because the fixture stops only daemons that the
            // fixture started.
            let lock = try String(contentsOfFile: app.directory.file("state/cutied/lock"), encoding: .utf8)
            kill(try #require(pid_t(lock.split(separator: "\n").first ?? "")), SIGTERM)
            try await eventually("the daemon has ended") { (try? await app.fetchStatus()) == nil }
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `Several accounts are shown with different titles, and feedback is sent from the chosen account`()
        async throws
    {
        let club = try await SandboxFixture(appID: "app_club")
        let accounts = { (fixture: EndToEndFixture) in
            """
            accounts:
              work: {app_id: app_sandbox, api_url: "\(fixture.sandbox.url)"}
              club: {app_id: app_club, api_url: "\(club.url)"}
            OPENER

            """
        }
        try await withInboxWindow(configuration: accounts) { fixture, user, _ in
            _ = try await fixture.daemon.startConversation("At work", account: "work")
            try await user.waitFor(.row("At work"))
            try await user.click(.button("New Feedback"))
            try await user.press("space Down Return", in: .comboBox("To"))
            try await user.enterText("Fees", into: .field("Title"))
            try await user.enterText("How much?", into: .field("Your message"))
            try await fixture.saveScreenshot(of: user, "accounts")
            try await user.click(.button("Send"))
            try await eventually("the feedback reaches the account of the club") {
                try await club.fetchThreads().map(\.title) == ["Fees"]
            }
            for (title, account) in [("Fees", "club"), ("At work", "work")] {
                #expect(try await user.readText(.row(title + ", ")).contains(account))
            }
        }
        try await club.stop()
    }
}

extension DaemonFixture {
    private struct Devices: Decodable, Sendable {
        let devices: [Device]
        struct Device: Decodable, Sendable { let deviceId: String }
    }

    fileprivate func devices() async throws -> Set<String> {
        Set(try await control.call("LinkedDevices", as: Devices.self).devices.map(\.deviceId))
    }
}

@Suite struct `The page of app permissions` {
    @Test(.timeLimit(.minutes(10)))
    func `The permissions page lists what a revocation deletes, and the user can revoke a permission there`()
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            #expect(try await fixture.requestAccessAsApp("allow") == nil)
            try await user.openPage("Apps and Permissions")
            try await user.waitFor(
                .anything("Replies from the developers of the app", in: "Apps and Permissions"))
            try await fixture.saveScreenshot(of: user, "apps")
            try await user.click(.button("Revoke Access for Notes", in: "Apps and Permissions"))
            try await user.waitFor(.anything("The following will be deleted"))
            try await fixture.saveScreenshot(of: user, "apps-loss")
            try await user.click(.button("_Revoke Access"))
            try await user.waitFor(.anything("Revoked", in: "Apps and Permissions"))
            try await fixture.saveScreenshot(of: user, "apps-history")
            try await user.click(.button("Delete Conversations of Notes", in: "Apps and Permissions"))
            try await user.waitFor(.anything("the history of notes: 0 conversations"))
            try await user.click(.button("_Delete Conversations"))
            try await user.waitFor(.anything("No app has requested access yet", in: "Apps and Permissions"))
            let run = try await fixture.daemon.ctl("access", "list", "--json")
            #expect(!run.output.contains("granted"), "\(run.output)")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A permission that is revoked in a terminal disappears from the open permissions page`() async throws
    {
        try await withInboxWindow { fixture, user, _ in
            #expect(try await fixture.requestAccessAsApp("allow") == nil)
            try await user.openPage("Apps and Permissions")
            try await user.waitFor(.button("Revoke Access for Notes", in: "Apps and Permissions"))
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes").code == 0)
            try await user.waitFor(.anything("Revoked", in: "Apps and Permissions"))
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes", "--forget").code == 0)
            try await user.waitFor(.anything("No app has requested access yet", in: "Apps and Permissions"))
        }
    }
}
