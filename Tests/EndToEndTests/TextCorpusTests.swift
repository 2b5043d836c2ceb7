import Foundation
import TestSupport
import Testing

/// Tests that send each string of the corpus through every interface for users and apps.
@Suite struct `Messages that resemble syntax` {
    @Test func `Each command sends every text of the corpus to the API unchanged`() async throws {
        try await withStaffAccount { fixture in
            let conversation = try await fixture.daemon.startConversation("Corpus", account: "shop")
            try await eventually("the inbox has the conversation's messages") {
                try await fixture.daemon.fetchInbox().filter { $0.conversationId == conversation }.count == 2
            }
            let shop = ["--account", "shop"]
            let work = ["--account", "work"]
            try await fixture.send { [["reply", conversation, $0] + shop, []] }
            try await fixture.expect(in: conversation, after: "How do I?", "reply")
            try await fixture.send { [["note"] + work + [conversation, $0], []] }
            try await fixture.expect(in: conversation, after: "How do I?", "reply and note", times: 2)
            try await fixture.send { [["canned", "add", "--title", "T"] + work + [$0], []] }
            let staff = MinimalVarlinkClient(path: fixture.daemon.socketFile, interface: "io.cutied.Staff")
            let canned: CannedList = try await staff.call("ListCannedResponses")
            #expect(canned.responses.map(\.content.bytes).inOrder == CorpusText.sendable.map(\.bytes).inOrder)
        }
    }

    @Test func `A message from standard input and a title are sent to the API unchanged`() async throws {
        try await EndToEndFixture.with { fixture in
            // The titles must be at most 1 KiB long.
            let texts = CorpusText.sendable.filter { $0.bytes.count <= 1024 }
            try await fixture.send(texts) { [["new", "--category", "bug", "--title", $0, "-"], [$0]] }
            try await eventually("all conversations") {
                try await fixture.sandbox.fetchThreads().count >= texts.count
            }
            let threads = try await fixture.sandbox.fetchThreads()
            #expect(threads.map { ($0.title ?? "").bytes }.inOrder == texts.map(\.bytes).inOrder)
            for thread in threads {
                let messages = try await fixture.sandbox.fetchTexts(in: thread.conversation_id)
                let sent = texts.first { $0.bytes == (thread.title ?? "").bytes }
                #expect(messages.map(\.bytes) == [sent?.withoutFinalLineEnds.bytes].compactMap(\.self))
            }
        }
    }

    @Test func `An app can send every text of the corpus to the API unchanged`() async throws {
        try await EndToEndFixture.with { fixture in
            let access = fixture.daemon.access
            let configuration = [
                "appId": fixture.sandbox.appID, "apiUrl": fixture.sandbox.url, "appName": "Notes",
            ]
            async let configured: Anything = access.call("Configure", configuration)
            try await fixture.daemon.answerApp("allow")
            _ = try await configured
            let thread: Created = try await access.call(
                "CreateConversation", ["category": "bug", "message": "first"])
            let conversation = try #require(thread.conversationId)
            for text in CorpusText.sendable {
                try await eventually("the message is within the limits of an app") {
                    try await access.accepts(["conversation": conversation, "message": text.text])
                }
            }
            try await fixture.expect(in: conversation, after: "first", "an app")
        }
    }

    @Test func `The admin command line sends every text of the corpus to the user unchanged`() async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Corpus")
            let credentials = [
                "--url", fixture.sandbox.url, "--client-id", "cutie_ci_tests", "--client-secret",
                "cutie_cs_tests",
            ]
            for text in CorpusText.sendable {
                let run = try SpawnedProgram(
                    BuiltProduct.path(of: "cutie-sandbox"),
                    ["reply"] + credentials + [conversation, text.text],
                    environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
                #expect(try await run.waitForExit() == 0, "\(text): \(run.standardError)")
            }
            try await fixture.expect(in: conversation, after: "How do I?", "cutie-sandbox reply")
            try await fixture.daemon.waitForBadge(CorpusText.sendable.count)
            let shown = try await fixture.daemon.fetchThread(conversation).messages.map(\.message.bytes)
            #expect(shown.inOrder == (CorpusText.sendable.map(\.bytes) + ["How do I?".bytes]).inOrder)
        }
    }

    @Test func `A search finds every text of the corpus, and never interprets a text as an ID`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Corpus")
            try await fixture.send { [["reply", conversation, $0], []] }
            try await eventually("all replies are sent") { try await fixture.daemon.fetchOutbox().isEmpty }
            for text in CorpusText.all where !text.isOption {
                let search = try await fixture.daemon.ctl("search", text.text, "--json")
                let expected: Set<Int32> =
                    text.isEmpty
                    ? [64] : text.text.utf8.count > 4096 ? [65] : text.hasPlainWord ? [0] : [0, 64]
                #expect(expected.contains(search.code), "\(text): \(search.error)")
                if text.hasPlainWord, search.code == 0 {
                    let found = try JSONDecoder().decode(Found.self, from: Data(search.output.utf8))
                    #expect(found.messages.contains { $0.message.bytes == text.text.bytes }, "\(text)")
                }
                let opened = try await fixture.daemon.ctl("open", text.text, "--json")
                #expect([65, 66].contains(opened.code), "\(text): \(opened.error)")
            }
        }
    }

    /// A name that consists only of whitespace removes the stored name.
    @Test func `A user name is stored without surrounding whitespace, or is rejected`() async throws {
        try await EndToEndFixture.with { fixture in
            for text in CorpusText.all where !text.isOption {
                let name = text.text.trimmingCharacters(in: .whitespacesAndNewlines)
                let run = try await fixture.daemon.ctl("user", "set", "--name", text.text, "--json")
                let known: UserRecord = try await fixture.daemon.control.call("GetUser")
                if run.code == 0 {
                    #expect((known.userName ?? "").bytes == name.bytes, "\(text)")
                } else {
                    #expect(run.code == 65 && known.userName?.bytes != name.bytes, "\(text): \(run.error)")
                }
                #expect((run.code == 0) == (text.isName || name.isEmpty), "\(text): \(run.code)")
            }
        }
    }
}

private struct Anything: Decodable {}
private struct Created: Decodable { let conversationId: String? }
private struct UserRecord: Decodable { let userName: String? }
private struct CannedList: Decodable {
    struct Response: Decodable { let content: String }
    let responses: [Response]
}
private struct Found: Decodable {
    struct Message: Decodable { let message: String }
    let messages: [Message]
}

extension CorpusText {
    /// The strings that are valid messages: not blank and not an option.
    fileprivate static let sendable = all.filter { !$0.isEmpty && !$0.isOption }

    fileprivate var bytes: [UInt8] { text.bytes }

    /// Whether every search tokenizer finds a word in the string.
    fileprivate var hasPlainWord: Bool {
        text.unicodeScalars.allSatisfy(\.isASCII) && text.contains(where: \.isLetter)
    }

    /// Whether the string is a valid user name.
    fileprivate var isName: Bool {
        !isEmpty
            && !["direction 2", "direction 3", "direction 4", "control 1", "control 2", "control 3"].contains(
                name)
            && !["space 4", "space 5", "long 1", "joiner 4", "dash 5"].contains(name)
    }
}

extension String {
    fileprivate var bytes: [UInt8] { Array(utf8) }
}

extension [[UInt8]] {
    fileprivate var inOrder: [[UInt8]] { sorted { $0.lexicographicallyPrecedes($1) } }
}

extension MinimalVarlinkClient {
    /// Sends a message as an app. Returns `false` if the app has exceeded its rate limit.
    fileprivate func accepts(_ message: [String: String]) async throws -> Bool {
        do {
            let _: Anything = try await call("SendMessage", message)
            return true
        } catch let failure as MinimalVarlinkClient.Failure where failure.error.hasSuffix("TooManyRequests") {
            return false
        }
    }
}

extension EndToEndFixture {
    /// Runs a verb for each string, in at most four processes at a time. Checks that blank strings are
    /// rejected and all other strings are accepted.
    ///
    /// - Parameter words: returns the arguments of `ctl` and the standard input for a string.
    fileprivate func send(
        _ texts: [CorpusText] = CorpusText.all.filter { !$0.isOption },
        _ words: @escaping @Sendable (String) -> [[String]]
    ) async throws {
        let daemon = daemon
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, text) in texts.enumerated() {
                if index >= 4 { try await group.next() }
                group.addTask {
                    let (arguments, input) = (words(text.text)[0], words(text.text)[1].joined())
                    let run = try daemon.startVerb(arguments, input: input)
                    let code = try await run.waitForExit()
                    let accepted: Set<Int32> = text.isEmpty ? [65] : [0, 75]
                    #expect(accepted.contains(code), "\(arguments.prefix(1)) \(text): \(run.standardError)")
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits for the messages at the service. Checks that the conversation contains its first message, and
    /// each string `times` times.
    fileprivate func expect(
        in conversation: String, after first: String, _ door: String, times: Int = 1
    ) async throws {
        let expected =
            CorpusText.sendable.flatMap { Array(repeating: $0.bytes, count: times) } + [first.bytes]
        try await eventually("all texts by \(door)") {
            try await sandbox.fetchTexts(in: conversation).count >= expected.count
        }
        #expect(
            try await sandbox.fetchTexts(in: conversation).map(\.bytes).inOrder == expected.inOrder, "\(door)"
        )
    }
}

/// Runs `body` with two accounts: a user writes in `shop`, and Kim is signed in to `work`.
private func withStaffAccount(_ body: (EndToEndFixture) async throws -> Void) async throws {
    try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
        try fixture.daemon.configure(
            """
            accounts:
              shop: {app_id: app_sandbox, api_url: "\(fixture.sandbox.url)", user_name: Ada}
              work: {kind: staff, api_url: "\(fixture.sandbox.url)"}
            secrets: file
            questions: false

            """)
        try await fixture.daemon.start()
        try await Kim(at: fixture.sandbox).signIn(fixture)
        try await fixture.daemon.waitUntilConnected()
        try await body(fixture)
    }
}
