import Foundation
import TestSupport
import Testing

/// Tests of programs that use the SDK, compiled in language modes 6 and 5, with the real daemon.
@Suite struct `Programs that use the SDK` {
    private static let names = ["SDKPrograms", "SDKProgramsFive"]

    @Test(arguments: names)
    func `A program can create, list and read conversations, and receives replies`(name: String) async throws
    {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: name, fixture: fixture)
            let creating = try app.start("create")
            try await fixture.daemon.answerApp("allow")
            #expect(try await creating.waitForExit() == 0, "\(creating.standardError)")
            let thread = try #require(try await fixture.sandbox.fetchThreads().first)
            let id = thread.conversation_id
            #expect(creating.lines == ["created \(id)"])
            #expect((thread.user_id, thread.user_name, thread.title) == ("u1", "Ada", "Crash"))
            let device = try #require(
                try await fixture.daemon.fetchStatus().accounts.first { $0.name != "default" }?.deviceId)
            // The version is part of each registration. The first registration may precede the version, so make
            // the device register again.
            try await fixture.sandbox.revoke(device)
            try await eventually("the version at the service") {
                try await fixture.sandbox.fetchDevice(device).facts.values.contains { $0.hasPrefix("2.0") }
            }
            try await fixture.sandbox.reply("Which version?", in: id)
            try await fixture.daemon.waitForBadge(1)
            #expect(try await app.lines("list") == ["Crash Open 1 true red"])
            #expect(try await app.lines("read", id) == ["user: It crashes", "admin: Which version?"])
            #expect(try await app.lines("create-async").first?.hasPrefix("created ") == true)
            #expect(try await app.lines("configure") == ["isConfigured true", "isConfigured true"])
            for program in ["configure-completely", "configure-completely-async"] {
                #expect(try await app.lines(program) == ["isConfigured false", "isConfigured true"])
            }
            let pushing = try app.start("push")
            try await eventually("the output of the program") { pushing.lines.count == 4 }
            #expect(pushing.lines == ["isOurs true", "callback true", "async true", "isOurs true"])
            try await fixture.daemon.waitForBadge(0)
            pushing.signal(SIGKILL)
        }
    }

    @Test(arguments: names)
    func `If no daemon is running, creating a conversation reports exactly one error`(name: String)
        async throws
    {
        let program = try SpawnedProgram(
            BuiltProduct.path(of: name), ["create", "app_sandbox", "http://127.0.0.1:1"],
            environment: ["CUTIED_ACCESS_SOCKET": "/nowhere/access.sock"])
        _ = try await program.waitForExit()
        #expect(program.lines.count == 1)
        #expect(program.lines.first?.hasPrefix("failed: Network error: cutied is not running") == true)
    }

    @Test(arguments: names)
    func `An App ID that the API refuses causes the error "Invalid App ID"`(name: String) async throws {
        try await EndToEndFixture.with { fixture in
            let program = try SpawnedProgram(
                BuiltProduct.path(of: name), ["create", "app_unknown", fixture.sandbox.url],
                environment: fixture.daemon.environment)
            try await fixture.daemon.answerApp("allow")
            #expect(try await program.waitForExit() == 0, "\(program.standardError)")
            #expect(program.lines == ["failed: Invalid App ID"])
        }
    }

    @Test
    func
        `A message that a program sends offline is later sent exactly once, and the program waits until then`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            let id = try await app.allowed()
            try await fixture.sandbox.stop()
            let sending = try app.start("send", id, "Later")
            try await eventually("the message is queued; \(sending.standardError)") {
                try await fixture.daemon.fetchOutbox().count == 1
            }
            #expect(sending.isRunning)
            try await fixture.sandbox.start()
            try await fixture.daemon.ctl("reconnect")
            #expect(try await sending.waitForExit() == 0, "\(sending.standardError)")
            #expect(sending.lines.count == 1 && sending.lines[0].hasPrefix("sent m"))
            #expect(try await fixture.sandbox.fetchTexts(in: id) == ["It crashes", "Later"])
        }
    }

    @Test func `The delegate that a program sets receives replies`() async throws {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            let id = try await app.allowed()
            let following = try app.start("delegate")
            try await following.waitForLine("ready")
            try await fixture.sandbox.reply("In the menu.", in: id)
            try await following.waitForLine("reply In the menu.")
        }
    }

    @Test func `A program can link a device, and can remove it with the user's permission`() async throws {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            _ = try await app.allowed()
            let linking = try app.start("link")
            try await eventually("the token; \(linking.standardError)") {
                linking.lines.first?.hasPrefix("token ") == true
            }
            let phone = try await fixture.sandbox.device("device_" + UUID().uuidString)
            try await phone.confirm(link: String(linking.lines[0].dropFirst("token ".count)))
            try await fixture.daemon.answerApp("allow", kind: "host-app-action")
            #expect(try await linking.waitForExit() == 0, "\(linking.standardError)")
            #expect(linking.lines.dropFirst() == ["devices 2", "removed phone"])
        }
    }

    @Test func `A device remains linked if the user refuses the removal`() async throws {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            _ = try await app.allowed()
            let linking = try app.start("link")
            try await eventually("the token") { linking.lines.first?.hasPrefix("token ") == true }
            let phone = try await fixture.sandbox.device("device_" + UUID().uuidString)
            try await phone.confirm(link: String(linking.lines[0].dropFirst("token ".count)))
            try await fixture.daemon.answerApp("refuse", kind: "host-app-action")
            #expect(try await linking.waitForExit() != 0)
            #expect(linking.lines.dropFirst() == ["devices 2"])
        }
    }

    @Test func `Consent is available after a restart, and is reported to the API once`() async throws {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            _ = try await app.allowed()
            #expect(try await app.lines("consent-known") == ["enabled false asked false"])
            let both = "enabled true asked true"
            #expect(try await app.lines("consent") == [both, both])
            try await eventually("the activity ping is received") {
                try await fixture.sandbox.fetchPings().count == 1
            }
            #expect(try await app.lines("consent-known") == [both])
            #expect(try await app.lines("consent") == [both, both])
            #expect(try await fixture.sandbox.fetchPings().count == 1)
        }
    }

    @Test(arguments: [nil, "io.cutied.Cutied.desktop", "io.cutied.Inbox.desktop"])
    func `A program that uses CutiELink reports if no Feedback App is installed`(
        handler: String?
    ) async throws {
        let environment = try handler.map { try FailingOpener(handler: $0) }
        try await EndToEndFixture.with({
            if let environment { $0.environment = environment.environment }
        }) { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            _ = try await app.allowed()
            #expect(
                try await app.lines("open-feedback-app") == ["installed false", "feedbackAppNotInstalled"])
        }
    }

    @Test(arguments: names)
    func `The program that uses CutiELink opens the Feedback App with a link to the app's account`(
        name: String
    )
        async throws
    {
        let desktop = try FailingOpener(code: 0)
        try await EndToEndFixture.with({ $0.environment = desktop.environment }) { fixture in
            let app = SDKProgram(name: name, fixture: fixture)
            _ = try await app.allowed()
            #expect(try await app.lines("open-feedback-app") == ["installed true"])
            #expect(desktop.tokens.count == 1)
        }
    }

    @Test
    func `If an app uses its App ID at another API, permission is requested once and a new account is added`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            _ = try await app.allowed()
            let sandbox = try await SandboxFixture(appID: "app_club")
            let club = SDKProgram(name: "SDKPrograms", fixture: fixture, sandbox: sandbox)
            _ = try await club.allowed()
            #expect(try await club.lines("list") == ["Crash Open 0 false red"])
            let reply = try #require(try await fixture.sandbox.fetchThreads().first).conversation_id
            try await fixture.sandbox.reply("Which version?", in: reply)
            try await fixture.daemon.waitForBadge(1)
            #expect(try await app.lines("list") == ["Crash Open 1 true red"])
            #expect(try await club.lines("list") == ["Crash Open 0 false red"])
            #expect(try await !fixture.daemon.ctl("questions", "--json").output.contains("questionId"))
        }
    }

    @Test
    func `An app that is allowed at one API needs a new permission for another API, and keeps its account`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            _ = try await app.allowed()
            let running = try app.start("use-sandbox")
            var detail = ""
            try await eventually("the question; \(running.standardError)") {
                detail = try await fixture.daemon.ctl("questions", "--json").output
                return detail.contains("questionId")
            }
            #expect(detail.contains("cutie-worker-sandbox.invotekas.workers.dev"))
            try await fixture.daemon.answerApp("refuse")
            #expect(try await running.waitForExit() == 0, "\(running.standardError)")
            #expect(running.lines == ["sharing the account was refused (403)", "code"])
        }
    }

    @Test func `A click on a notification is reported to the app's delegate and opens the window`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            let id = try await app.allowed()
            let following = try app.start("opening")
            try await following.waitForLine("ready")
            let popup = try await app.popup("In the menu.", in: id)
            try await fixture.notificationServer.invoke("default", on: popup)
            try await following.waitForLine("open \(id)")
            try await eventually("the window") { fixture.opened.count == 1 }
            let entry = try await fixture.daemon.fetchLog().last { $0.type == "conversation.opened" }
            #expect(entry?.conversation == id)
        }
    }

    @Test
    func
        `If the app displays conversations, a click opens the conversation in the app instead of the window`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let app = SDKProgram(name: "SDKPrograms", fixture: fixture)
            let id = try await app.allowed()
            let following = try app.start("opening", "handling")
            try await following.waitForLine("ready")
            let popup = try await app.popup("In the menu.", in: id)
            try await eventually("the app shows the conversation") {
                try await fixture.notificationServer.invoke("default", on: popup)
                return following.lines.contains("open \(id)")
            }
            let (opened, count) = (fixture.opened.count, following.lines.count)
            let name = try #require(
                try await fixture.daemon.fetchStatus().accounts.first { $0.name != "default" }?.name)
            let run = try await fixture.daemon.open("cutie://conversation/\(id)?account=\(name)")
            #expect(run.code == 0 && run.output.isEmpty, "\(run.output) \(run.error)")
            try await eventually("the linked conversation is reported") { following.lines.count > count }
            #expect(fixture.opened.count == opened)
            following.signal(SIGKILL)
            _ = try await following.waitForExit()
            try await eventually("the window") {
                try await fixture.notificationServer.invoke("default", on: popup)
                return fixture.opened.count > opened
            }
        }
    }
}

/// A program that uses the SDK and the daemon of a fixture.
private struct SDKProgram {
    let name: String
    let fixture: EndToEndFixture
    let sandbox: SandboxFixture

    init(name: String, fixture: EndToEndFixture, sandbox: SandboxFixture? = nil) {
        (self.name, self.fixture, self.sandbox) = (name, fixture, sandbox ?? fixture.sandbox)
    }

    func start(_ program: String, _ arguments: String...) throws -> SpawnedProgram {
        try SpawnedProgram(
            BuiltProduct.path(of: name), [program, sandbox.appID, sandbox.url] + arguments,
            environment: fixture.daemon.environment)
    }

    /// Runs a program until it exits, and returns the lines of its output.
    func lines(_ program: String, _ arguments: String...) async throws -> [String] {
        let run = try SpawnedProgram(
            BuiltProduct.path(of: name), [program, sandbox.appID, sandbox.url] + arguments,
            environment: fixture.daemon.environment)
        #expect(try await run.waitForExit() == 0, "\(run.standardError)")
        return run.lines
    }

    /// Creates a conversation as the app and allows the app as the user. Returns the ID of the conversation.
    func allowed() async throws -> String {
        let creating = try start("create")
        try await fixture.daemon.answerApp("allow")
        #expect(try await creating.waitForExit() == 0, "\(creating.standardError)")
        return try #require(try await sandbox.fetchThreads().first).conversation_id
    }

    /// Sends a reply as support and returns the ID of its notification.
    func popup(_ answer: String, in conversation: String) async throws -> UInt32 {
        let before = try fixture.notificationServer.notifications.count
        try await fixture.sandbox.reply(answer, in: conversation)
        return try await fixture.notificationServer.waitForNotifications(atLeast: before + 1)[before].id
    }
}

extension SpawnedProgram {
    /// Waits until the program has printed `line`.
    fileprivate func waitForLine(_ line: String) async throws {
        try await eventually("“\(line)”; \(lines) \(standardError)") { lines.contains(line) }
    }
}
