import Foundation
import TestSupport
import Testing

/// Tests of all exit codes that help texts list, including every cause of each code.
@Suite struct `Exit codes` {
    /// A command and its expected exit code. `{conversation}` in a word is replaced by the ID of an existing
    /// conversation.
    struct Row: CustomTestStringConvertible, Sendable {
        let code: Int32
        let words: [String]
        var input = ""

        init(_ code: Int32, _ words: String..., input: String = "") {
            (self.code, self.words, self.input) = (code, words, input)
        }

        var testDescription: String { words.joined(separator: " ") + " → \(code)" }
    }

    private static let unreachable: [Row] = [
        Row(69, "ctl", "status", "--no-wait"), Row(69, "ctl", "reply", "conv_1", "words", "--no-wait"),
        Row(69, "open", "cutie://conversation/conv_1"), Row(69, "open", "cutie://link?token=t"),
        Row(78, "run", "--config", "/dev/null/none"), Row(78, "doctor"), Row(64, "setup"),
        Row(64, "open", "cutie://setup?app_id=app_1"),
        Row(1, "ctl", "wait", "--timeout", "0"), Row(1, "ctl", "app", "installed"),
    ]

    private static let connected: [Row] = [
        Row(0, "ctl", "status"), Row(0, "ctl", "wait", "--connected"), Row(64, "ctl", "status", "--nothing"),
        Row(64, "ctl", "inbox", "--limit", "-3"), Row(64, "ctl", "pause", "-5m"),
        Row(64, "ctl", "search", ""), Row(64, "ctl", "search", "!!!"), Row(64, "ctl", "search", "-", "..."),
        Row(64, "ctl", "nosuch"), Row(64, "help", "nosuch"),
        Row(65, "ctl", "reply", "{closed}", "words"), Row(65, "ctl", "reply", "{conversation}", " "),
        Row(65, "ctl", "reply", "{conversation}", "-", input: "\n"), Row(65, "ctl", "push", "deliver", "{}"),
        Row(65, "ctl", "push", "deliver", "{"), Row(65, "open", "https://example.org/"),
        Row(66, "ctl", "show", "none"), Row(66, "ctl", "reply", "none", "words"),
        Row(66, "ctl", "explain", "none"),
        Row(66, "ctl", "open", "none"), Row(66, "ctl", "read", "none"),
        Row(66, "ctl", "outbox", "retry", "none"),
        Row(66, "ctl", "outbox", "cancel", "none"), Row(66, "ctl", "questions", "answer", "none", "allow"),
        Row(66, "ctl", "link", "remove", "none"), Row(66, "ctl", "link", "status", "none"),
        Row(66, "ctl", "access", "revoke", "none"), Row(66, "ctl", "service", "show", "none"),
        Row(66, "ctl", "app", "remove", "none"), Row(66, "ctl", "status", "--account", "none"),
        Row(66, "open", "cutie://conversation/none"), Row(1, "ctl", "app", "open"),
        Row(64, "ctl", "assign", "{conversation}", "me"),
        Row(64, "ctl", "set", "{conversation}", "--status", "open"),
        Row(64, "ctl", "note", "{conversation}", "words"),
        Row(64, "ctl", "tag", "{conversation}", "add", "t"),
        Row(64, "ctl", "tags"), Row(64, "ctl", "canned"), Row(64, "ctl", "stats"), Row(0, "doctor"),
        Row(69, "open", "--reply", "cutie://conversation/{conversation}"),
    ]

    private static let offline: [Row] = [
        Row(75, "ctl", "reply", "{conversation}", "words"),
        Row(75, "ctl", "new", "--category", "bug", "words"),
        Row(75, "ctl", "read", "{conversation}"), Row(1, "doctor"),
        Row(75, "ctl", "push", "deliver", #"{"conversation_id":"{conversation}","message_id":"new"}"#),
        Row(69, "ctl", "link", "start"), Row(69, "ctl", "app", "code"),
        Row(1, "ctl", "wait", "--connected", "--timeout", "0"),
    ]

    private static let staffSignedOut: [Row] = [
        Row(77, "ctl", "whoami"), Row(77, "ctl", "assign", "conv_1", "me"),
        Row(77, "ctl", "set", "conv_1", "--status", "open"), Row(77, "ctl", "note", "conv_1", "words"),
        Row(77, "ctl", "tag", "conv_1", "add", "t"), Row(77, "ctl", "tags"), Row(77, "ctl", "canned"),
        Row(77, "ctl", "canned", "add", "--title", "T", "words"),
        Row(77, "ctl", "canned", "use", "conv_1", "T"),
        Row(77, "ctl", "stats"), Row(77, "ctl", "reply", "conv_1", "words"),
    ]

    private static let staffOffline: [Row] = [
        Row(75, "ctl", "assign", "{conversation}", "none"),
        Row(75, "ctl", "set", "{conversation}", "--status", "open"),
        Row(75, "ctl", "note", "{conversation}", "words"),
        Row(75, "ctl", "tag", "{conversation}", "add", "t"),
        Row(75, "ctl", "canned", "add", "--title", "T", "words"),
    ]

    /// Responses to a request for a feedback token. `code` is the exit code of `app code` and of opening a
    /// link.
    private static let answers: [(status: String, body: String, code: Int32)] = [
        ("200 OK", "{", 76), ("200 OK", "{}", 76), ("500 Internal Server Error", "", 69),
        ("401 Unauthorized", #"{"error":"no such app"}"#, 77),
    ]

    /// The commands that wait for a response of the API and need its content.
    private static let awaitingResponse: [Row] = [
        Row(76, "ctl", "link", "start"), Row(76, "ctl", "link", "confirm", "token"),
        Row(76, "ctl", "link", "status", "token"), Row(76, "ctl", "link", "devices"),
        Row(76, "ctl", "link", "remove", "device"), Row(76, "ctl", "subscription"),
        Row(
            76, "ctl", "subscription", "verify", "--platform", "ios", "--product", "com.example.pro.monthly",
            "--receipt", "-", input: "receipt"),
        Row(76, "ctl", "attest", "renew"), Row(76, "ctl", "app", "code"),
    ]

    @Test func `Without a daemon, each command has the documented exit code`() async throws {
        let directory = try TemporaryDirectory()
        let environment = [
            "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path, "PATH": "/usr/bin:/bin",
            "XDG_DATA_DIRS": directory.path,
        ]
        for row in Self.unreachable { try await expect(row, [:], environment) }
    }

    @Test func `With a device account, online and offline, each command has the documented exit code`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Open")
            let closed = try await fixture.daemon.startConversation("Closed")
            try await fixture.sandbox.setStatus("closed", of: closed)
            try await eventually("the conversation is closed in the inbox") {
                try await fixture.daemon.fetchInbox().contains {
                    $0.conversationId == closed && $0.status == "closed"
                }
            }
            let names = ["{conversation}": conversation, "{closed}": closed]
            for row in Self.connected { try await expect(row, names, fixture.daemon.environment) }
            try await fixture.sandbox.reply("Unread", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            try await fixture.sandbox.stop()
            try await fixture.daemon.waitForStatus("the account is offline") { $0.state == "offline" }
            try await expectAtOnce(Self.offline, names, fixture.daemon.environment)
            let items = try await fixture.daemon.fetchOutbox()
            let item = try #require(items.first { $0.kind == "message" }?.outboxId)
            try await expect(Row(75, "ctl", "outbox", "retry", item), [:], fixture.daemon.environment)
            try fixture.configure("history: {days: many}")
            try await expect(Row(78, "ctl", "reload"), [:], fixture.daemon.environment)
        }
    }

    @Test func `With a staff account, signed out and offline, each command has the documented exit code`()
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                "kind: staff\napi_url: \(fixture.sandbox.url)\nsecrets: file\nquestions: false\n")
            try await fixture.daemon.start()
            for row in Self.staffSignedOut { try await expect(row, [:], fixture.daemon.environment) }
            let kim = try await Kim(at: fixture.sandbox)
            let verb = try fixture.daemon.startVerb(["signin", "--method", "device"])
            let code = try await verb.waitForLine(after: "code   ").prefix { $0 != "," && $0 != " " }
            try await kim.allow(String(code), at: fixture.sandbox)
            #expect(try await verb.waitForExit() == 0, "\(verb.standardError)")
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await startConversationOfOtherUser(fixture)
            try await fixture.sandbox.stop()
            try await fixture.daemon.waitForStatus("the account is offline") { $0.state == "offline" }
            try await expectAtOnce(
                Self.staffOffline, ["{conversation}": conversation], fixture.daemon.environment)
            try await expect(Row(75, "ctl", "signout"), [:], fixture.daemon.environment)
            try await expect(Row(77, "ctl", "whoami"), [:], fixture.daemon.environment)
        }
    }

    @Test func `Invalid responses, errors and a refused App ID have the documented exit codes`() async throws
    {
        for answer in Self.answers {
            let refusal = ScriptedAPI.refusing(answer.status, body: answer.body)
            let liar = try ScriptedAPI([(call: "POST /v1/feedback-app/", answer: refusal)])
            try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
                try fixture.daemon.configure(
                    "app_id: a\napi_url: \(liar.url)\nsecrets: file\nquestions: false\n")
                try await fixture.daemon.start()
                try await expect(Row(answer.code, "ctl", "app", "code"), [:], fixture.daemon.environment)
                let link = "cutie://link?token=cutie_ft_1"
                let run = try fixture.inTerminal("cutied open '\(link)'", typing: "y")
                #expect(try await run.waitForExit() == answer.code, "\(run.standardOutput)")
                let refused = try fixture.inTerminal("cutied open '\(link)'", typing: "n")
                #expect(try await refused.waitForExit() == 1, "\(refused.standardOutput)")
            }
        }
    }

    @Test(arguments: ["{", "<html></html>"])
    func `If an API response cannot be decoded, each command that needs the response exits with 76`(
        body: String
    ) async throws {
        let undecodable = ScriptedAPI.refusing("200 OK", body: body)
        let api = try ScriptedAPI([
            "POST /v1/sdk/link/": undecodable, "GET /v1/sdk/link/": undecodable,
            "DELETE /v1/sdk/link/": undecodable, "GET /v1/usage": undecodable,
            "POST /v1/subscription/": undecodable, "POST /v1/device/attest/": undecodable,
            "POST /v1/feedback-app/": undecodable,
        ])
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                "app_id: a\napi_url: \(api.url)\nsecrets: file\nattestation: software\nquestions: false\n")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            for row in Self.awaitingResponse { try await expect(row, [:], fixture.daemon.environment) }
        }
    }

    @Test func `Each exit code in a help text is covered by a test`() async throws {
        let rows = Self.unreachable + Self.connected + Self.offline + Self.staffSignedOut + Self.staffOffline
        // Exit codes that the tests of this file check outside the tables of rows.
        let others: [(String, [Int32])] = [
            ("open", [1, 75, 76, 77]), ("ctl app", [69, 76, 77]), ("ctl", [75, 76, 77, 78]),
            ("ctl signout", [75]),
            ("ctl outbox retry", [75]),
            // Exit codes that are checked by tests in other files, which need a second daemon, a missing
            // library, a timeout or a specific response.
            ("run", [0, 1, 69]), ("doctor", [69]),
            ("ctl link", [1]), ("ctl link start", [1]), ("ctl link status", [1]), ("ctl subscription", [1]),
        ]
        for command in ["run", "open", "doctor", "setup", "ctl"] + Self.verbs.map({ "ctl " + $0 }) {
            let words = command.split(separator: " ").map(String.init)
            let tested =
                rows.filter { $0.words.starts(with: words) }.map(\.code)
                + others.filter { $0.0 == command }.flatMap(\.1)
            let named = try await codes(inHelpOf: words)
            #expect(named.isSubset(of: tested), "\(command): \(named.subtracting(tested))")
        }
    }

    private static let verbs = [
        "wait", "new", "reply", "outbox retry", "assign", "set", "note", "tag", "tags", "canned", "stats",
        "signout",
        "whoami", "link", "link start", "link status", "app", "app installed", "push deliver", "subscription",
    ]
}

extension `Exit codes` {
    /// Returns the exit codes that the help text of a command lists.
    private func codes(inHelpOf words: [String]) async throws -> Set<Int32> {
        let run = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), words + ["--help"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await run.waitForExit() == 0)
        let text = run.standardOutput.replacing(/\s+/, with: " ")
        let ends = text.matches(of: /(?:ends?|end it|Ends) with (\d+)/).compactMap { Int32($0.1) }
        let list = text.firstMatch(of: /Exit codes[^:]*: ([^.]*)\./).map { String($0.1) } ?? ""
        return Set(ends + list.matches(of: #/(?:^|, )(\d+) /#).compactMap { Int32($0.1) })
    }

    private func expect(
        _ row: Row, _ names: [String: String], _ environment: [String: String]
    ) async throws {
        let words = row.words.map { word in names.reduce(word) { $0.replacing($1.key, with: $1.value) } }
        let run = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), words, environment: environment, input: row.input)
        #expect(try await run.waitForExit() == row.code, "\(row.testDescription): \(run.standardError)")
    }

    /// Runs the commands of all rows concurrently, because each command waits for an unreachable API.
    private func expectAtOnce(
        _ rows: [Row], _ names: [String: String], _ environment: [String: String]
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for row in rows { group.addTask { try await expect(row, names, environment) } }
            try await group.waitForAll()
        }
    }

    /// Starts a conversation as another user. Returns its ID once the staff account has received it.
    private func startConversationOfOtherUser(_ fixture: EndToEndFixture) async throws -> String {
        let user = try DaemonFixture(
            session: fixture.bus.environment,
            configuration: "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\nquestions: false\n")
        try await user.start()
        try await user.waitUntilConnected()
        let conversation = try await user.startConversation("From a user")
        try await user.stop()
        try await eventually("the conversation is in the inbox") {
            try await fixture.daemon.fetchInbox().contains { $0.conversationId == conversation }
        }
        return conversation
    }
}

extension EndToEndFixture {
    /// Runs a `cutied` command in a pseudo-terminal and types `line`.
    fileprivate func inTerminal(_ command: String, typing line: String) throws -> SpawnedProgram {
        let program = try BuiltProduct.path(of: "cutied")
        let script = command.replacing("cutied", with: "'\(program)'", maxReplacements: 1)
        return try SpawnedProgram(
            "/bin/sh", ["-c", "echo \(line) | /usr/bin/script -qec \"$0\" /dev/null", script],
            environment: daemon.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 })
    }
}
