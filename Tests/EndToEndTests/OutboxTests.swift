import TestSupport
import Testing

@Suite struct `Messages sent while the API is unreachable` {
    @Test
    func
        `Offline, ctl reply exits with 75, and the messages are later sent once and in order, despite restarts`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Long story", "Chapter 0")
            try await fixture.sandbox.stop()
            for chapter in 1...3 { try await fixture.queue(["reply", conversation, "Chapter \(chapter)"]) }
            try await fixture.daemon.restart()
            #expect(try await fixture.daemon.fetchStatus().outbox == 3)
            for chapter in 4...5 { try await fixture.queue(["reply", conversation, "Chapter \(chapter)"]) }
            try await fixture.daemon.killProcess()
            try await fixture.daemon.start()
            #expect(try await fixture.daemon.fetchStatus().outbox == 5)
            try await fixture.sandbox.start()
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == (0...5).map { "Chapter \($0)" })
            #expect(try await fixture.daemon.fetchThread(conversation).messages.map(\.message).count == 6)
        }
    }

    @Test func `A message that is not UTF-8 is rejected, so that no characters are lost`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Question")
            let script = #"exec "$0" ctl reply "$1" "$(printf 'Gr\374n')""#
            let reply = try SpawnedProgram(
                "/bin/sh", ["-c", script, BuiltProduct.path(of: "cutied"), conversation],
                environment: fixture.daemon.environment)
            #expect(try await reply.waitForExit() == 65)
            #expect(reply.standardError == "cutied: an argument is not UTF-8; convert it with iconv\n")
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["How do I?"])
        }
    }

    @Test func `A queued new conversation is created once`() async throws {
        try await EndToEndFixture.with { fixture in
            try await fixture.sandbox.stop()
            let run = try await fixture.daemon.ctl(
                "new", "--category", "bug", "--title", "Queued", "It fails")
            #expect(run.code == 75)
            #expect(run.output == "queued\n")
            try await fixture.daemon.killProcess()
            try await fixture.daemon.start()
            try await fixture.sandbox.start()
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            #expect(try await fixture.sandbox.fetchThreads().map(\.title) == ["Queued"])
            try await eventually("the conversation is in the inbox") {
                try await fixture.daemon.fetchInbox().map(\.title) == ["Queued"]
            }
        }
    }

    @Test(arguments: [[], ["up-to"]])
    func `A queued mark-read request is applied immediately, but only to messages that had already arrived`(
        without: [String]
    )
        async throws
    {
        try await EndToEndFixture.with({ $0.without = without }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Offline reading")
            // The response to the first mark-read shows the daemon whether the server supports `up_to`.
            try await fixture.sandbox.reply("Zero", in: conversation)
            try await fixture.daemon.waitForBadge(1)
            #expect(try await fixture.daemon.ctl("read", conversation).code == 0)
            try await fixture.sandbox.sendReplies(["One", "Two"], in: conversation)
            try await fixture.daemon.waitForBadge(2)
            try await fixture.sandbox.whileUnreachable { elsewhere in
                #expect(try await fixture.daemon.ctl("read", conversation).code == 75)
                #expect(try await fixture.daemon.fetchStatus().badge.total == 0)
                try await elsewhere.reply("Three", in: conversation)
            }
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            try await fixture.daemon.waitForBadge(1)
            // Without `up_to`, the queued mark-read would also mark the third message, so the daemon does not
            // send the mark-read.
            #expect(try await fixture.makeDevice().fetchTotalUnread() == (without.isEmpty ? 1 : 3))
        }
    }

    @Test(arguments: [[], ["idempotency"]])
    func `A message is not sent twice if a crash loses the response, even without idempotency keys`(
        without: [String]
    ) async throws {
        try await EndToEndFixture.with({ $0.without = without }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Once", "Zero")
            try await fixture.killWhileSending("One", to: conversation)
            try await fixture.daemon.start()
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "One"])
            try await eventually("both messages are stored once") {
                try await fixture.daemon.fetchThread(conversation).messages.map(\.message) == ["Zero", "One"]
            }
        }
    }

    @Test func `Pending messages can be listed, retried and deleted`() async throws {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Second thoughts", "Zero")
            try await fixture.sandbox.stop()
            try await fixture.queue(["reply", conversation, "Hasty"])
            try await fixture.queue(["reply", conversation, "Considered"])
            let items = try await fixture.daemon.fetchOutbox()
            #expect(items.map(\.text) == ["Hasty", "Considered"])
            #expect(try await fixture.daemon.ctl("outbox", "cancel", items[0].outboxId).code == 0)
            #expect(try await fixture.daemon.ctl("outbox", "cancel", items[0].outboxId).code == 66)
            #expect(try await fixture.daemon.ctl("outbox").output.contains("Considered"))
            // The API must still be unreachable here. Otherwise, the message could be sent before the retry.
            let waits = try await fixture.daemon.ctl("outbox", "retry", items[1].outboxId)
            #expect(waits.code == 75 && waits.output == "queued\n")
            try await fixture.sandbox.start()
            try await fixture.daemon.waitForStatus("an empty outbox") { $0.outbox == 0 }
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "Considered"])
        }
    }

    @Test func `Pending messages of a removed account are listed and can be deleted`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Moving", "Zero")
            try await fixture.sandbox.stop()
            try await fixture.queue(["reply", conversation, "Left behind"])
            try await fixture.queue(["reply", conversation, "Forgotten"])
            try fixture.daemon.configure("app_id: app_other\napi_url: \(fixture.sandbox.url)\n")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            let items = try await fixture.daemon.fetchOutbox()
            try #require(items.map(\.text) == ["Left behind", "Forgotten"])
            #expect(try await fixture.daemon.ctl("status").output.contains(/outbox +2 could not be sent/))
            #expect(
                try await fixture.daemon.ctl("outbox").output.contains(
                    "the account default is no longer configured")
            )
            #expect(try await fixture.daemon.ctl("outbox", "retry", items[0].outboxId).code == 78)
            #expect(try await fixture.daemon.ctl("outbox", "cancel", items[1].outboxId).code == 0)
            try fixture.configure()
            try await fixture.sandbox.start()
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await fixture.daemon.waitForStatus("an empty outbox") {
                $0.outbox == 0 && $0.outboxFailed == 0
            }
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero", "Left behind"])
        }
    }

    @Test func `A message that the API refuses permanently is kept, and a notification reports the refusal`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Too much", "Zero")
            // The message is short enough for the daemon, but its JSON encoding exceeds the limit of the API.
            let story = String(repeating: "\"", count: 1_000_000)
            let refused = try await fixture.daemon.ctl("reply", conversation, "-", input: story)
            let kept = try #require(try await fixture.daemon.fetchOutbox().first)
            #expect(refused.code == 1 && refused.error.contains("outbox retry \(kept.outboxId)"))
            #expect(kept.state == "failed" && kept.text == story)
            #expect(try await fixture.daemon.ctl("status").output.contains(/outbox +1 could not be sent/))
            let again = try await fixture.daemon.ctl("outbox", "retry", kept.outboxId)
            #expect(again.code == 1 && again.error.contains("413"), "\(again)")
            #expect(try fixture.notificationServer.notifications.isEmpty)
            #expect(try await fixture.daemon.ctl("outbox", "cancel", kept.outboxId).code == 0)

            try await fixture.sandbox.suspend()
            #expect(try await fixture.daemon.ctl("reply", conversation, "-", input: story).code == 75)
            fixture.sandbox.resume()
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "Not sent — Too much" && popup.body.contains("413"))
            try await fixture.notificationServer.invoke("retry", on: popup.id)
            let second = try await fixture.notificationServer.waitForNotifications(atLeast: 2)[1]
            #expect(second.summary == popup.summary)
            #expect(try await fixture.daemon.fetchOutbox().map(\.text) == [story])
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["Zero"])
        }
    }

    @Test func `Cancelling a message in flight succeeds if the attempt to send the message fails`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Cancelled", "First")
            try await fixture.sandbox.suspend()
            let reply = try fixture.daemon.startVerb(["reply", conversation, "Never mind"])
            try await fixture.daemon.waitForStatus("the message is being sent") { _ in
                try await fixture.daemon.fetchOutbox().first?.state == "sending"
            }
            let id = try #require(try await fixture.daemon.fetchOutbox().first?.outboxId)
            let cancel = try fixture.daemon.startVerb(["outbox", "cancel", id])
            // Killing the server makes the attempt fail.
            try await fixture.sandbox.killProcess()
            #expect(try await cancel.waitForExit() == 0, "\(cancel.standardError)")
            #expect(try await fixture.daemon.fetchOutbox().isEmpty)
            _ = try await reply.waitForExit()
            try await fixture.sandbox.start()
            try await fixture.daemon.waitForStatus("the account is connected") { $0.state == "connected" }
            #expect(try await fixture.sandbox.fetchTexts(in: conversation) == ["First"])
        }
    }

    @Test func `Online, the command ctl reply exits with 0, and invalid arguments have their own exit codes`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("Codes")
            let sent = try await fixture.daemon.ctl("reply", conversation, "-", input: "From a pipe\n")
            #expect(sent.code == 0)
            #expect(try await fixture.sandbox.fetchTexts(in: conversation).last == "From a pipe")
            #expect(try await fixture.daemon.ctl("reply", "conv_none", "Hello").code == 66)
            #expect(try await fixture.daemon.ctl("reply", conversation, "   ").code == 65)
            #expect(try await fixture.daemon.ctl("show", "conv_none").code == 66)
            #expect(try await fixture.daemon.ctl("explain", "msg_none").code == 66)
            #expect(try await fixture.daemon.ctl("read").code == 64)
            #expect(try await fixture.daemon.ctl("new", "--category", "rant", "Hello").code == 64)
            #expect(try await fixture.daemon.ctl("read", "--all").code == 0)
        }
    }
}

extension EndToEndFixture {
    /// Runs `verb` and waits until its item is in the outbox, so that the order of several items is defined.
    fileprivate func queue(_ verb: [String]) async throws {
        let before = try await daemon.fetchStatus().outbox
        let program = try daemon.startVerb(verb)
        try await daemon.waitForStatus("\(verb) in the outbox") { $0.outbox == before + 1 }
        #expect(try await program.waitForExit() == 75)
    }
}

extension EndToEndFixture {
    /// Kills the daemon between sending a message and receiving the response.
    func killWhileSending(_ text: String, to conversation: String) async throws {
        try await sandbox.suspend()
        let ctl = try daemon.startVerb(["reply", conversation, text])
        try await daemon.waitForStatus("the message is being sent") { _ in
            try await daemon.fetchOutbox().first?.state == "sending"
        }
        // The state `sending` is stored before the first byte is sent, so the test also waits for bytes.
        try await eventually("the message is on its way") { try sandbox.unreadBytes > 0 }
        try await daemon.killProcess()
        // On a busy machine, the daemon may already have reported a pending message (75).
        #expect([69, 75].contains(try await ctl.waitForExit()))
        sandbox.resume()
    }
}
