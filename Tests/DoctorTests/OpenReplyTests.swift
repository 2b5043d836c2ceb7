import ControlAPI
import Foundation
import TestSupport
import Testing
import VarlinkSocket

/// Tests of `cutied open --reply`, which a click on the reply button of a notification runs.
extension OpenCommandTests {
    private static let terminal = #"shift; printf 'One line\nand another\n' | "$@" >"$HOME/window" 2>&1"#

    /// Runs a daemon that has one thread and responds to sent messages with `answer`. Passes the received
    /// messages to `body`.
    func answering(
        status: String = "open", _ answer: @escaping @Sendable (SendMessage) throws -> SendMessage.Reply,
        _ body: (Shared<[SendMessage]>, Shared<[MarkRead]>) async throws -> Void
    ) async throws {
        let sent = Shared<[SendMessage]>([]), read = Shared<[MarkRead]>([])
        try await daemon.running(
            {
                $0.on(GetConversation.self) { call in
                    let id = call.parameters.conversation
                    let message = MessageView(
                        account: "default", messageId: "msg_1", conversationId: id, senderType: "admin",
                        senderName: "Anna", message: "Which format?", messageType: "text", createdAt: 1)
                    return GetConversation.Reply(
                        conversation: ConversationView(
                            account: "default", conversationId: id, status: status, title: "Export", badge: 0),
                        messages: [message])
                }
                .on(SendMessage.self) { call in
                    sent.value += [call.parameters]
                    return try answer(call.parameters)
                }
                .on(MarkRead.self) { call in
                    read.value += [call.parameters]
                    return MarkRead.Reply(conversations: 1, queued: true)
                }
            }, while: { try await body(sent, read) })
    }

    private func reply(adding environment: [String: String] = [:]) async throws -> SpawnedProgram {
        try await daemon.cutied(
            "open", "--reply", "cutie://conversation/conv_1?account=default",
            adding: ["DISPLAY": ":99", "PATH": daemon.directory.file("bin")].merging(environment) { $1 })
    }

    private static let words = "One line\nand another"

    @Test func `The reply form shows the thread, and the message being replied to is marked read`()
        async throws
    {
        try daemon.install("x-terminal-emulator", "PATH=/bin:/usr/bin\n" + Self.terminal)
        try await answering({ _ in .init(messageId: "msg_2", queued: false) }) { sent, read in
            let program = try await reply()
            #expect(program.exitCode == 0)
            #expect(sent.value.map(\.conversation) == ["conv_1"] && sent.value.map(\.message) == [Self.words])
            #expect(sent.value.map(\.account) == ["default"] && sent.value.map(\.reopen) == [nil])
            #expect(read.value.first?.upTo == "msg_1" && read.value.first?.shown == true)
            #expect(daemon.text("window").hasPrefix("Export  conv_1\n"))
            #expect(daemon.text("window").contains("  Which format?\n\nWrite your reply, then press Ctrl-D"))
            #expect(daemon.text("window").hasSuffix("Sent.\n"))
        }
    }

    @Test func `The reply form states that the conversation has ended, and a reply reopens the conversation`()
        async throws
    {
        try daemon.install("x-terminal-emulator", "PATH=/bin:/usr/bin\n" + Self.terminal)
        try await answering(status: "resolved", { _ in .init(queued: true) }) { sent, _ in
            let program = try await reply()
            #expect(program.exitCode == 0)
            #expect(sent.value.map(\.reopen) == [true])
            #expect(daemon.text("window").contains("This conversation is resolved. Your message"))
            #expect(daemon.text("window").contains("will be sent when the service can be reached"))
        }
    }

    @Test func `A reply that cannot be passed to the daemon is saved in a file, and the user is notified`()
        async throws
    {
        try daemon.install("x-terminal-emulator", "PATH=/bin:/usr/bin\n" + Self.terminal)
        try await answering({ _ in throw Failed(reason: "the disk is full") }) { _, _ in
            _ = try await reply()
            let output = daemon.text("window")
            #expect(output.contains("Your reply was not sent: the disk is full."))
            let file = try #require(output.firstMatch(of: /Your text is saved in (?<file>\S+)\./)).output.file
            #expect(try String(contentsOfFile: String(file), encoding: .utf8) == Self.words + "\n")
            let mode = try FileManager.default.attributesOfItem(atPath: String(file))[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    @Test func `A reply that is already in the outbox is not saved in a file`() async throws {
        try daemon.install("x-terminal-emulator", "PATH=/bin:/usr/bin\n" + Self.terminal)
        try await answering({ _ in throw NotSent(outboxId: "7", cause: .refused, reason: "too long") }) {
            _, _ in
            _ = try await reply()
            let output = daemon.text("window")
            #expect(
                output.contains("Your message is saved; run `cutied ctl outbox retry 7` to send the message"))
            #expect(!FileManager.default.fileExists(atPath: daemon.directory.file("state/cutied/drafts")))
        }
    }

    @Test(arguments: [
        (
            "zenity",
            #"for each; do case $each in --filename=*) cp "${each#*=}" "$HOME/sheet"; esac; done; cat "$HOME/sheet""#
        ),
        ("kdialog", #"printf %s "$4" >"$HOME/sheet""#),
    ])
    func `A dialog shows the message and accepts several lines if no terminal is installed`(
        name: String, script: String
    ) async throws {
        let typed = "PATH=/bin:/usr/bin\necho noise >&2\n\(script)\nprintf 'One line\nand another\n'"
        try daemon.install(name, typed)
        try await answering({ _ in .init(messageId: "msg_2", queued: false) }) { sent, read in
            let program = try await reply()
            #expect(program.exitCode == 0)
            #expect(sent.value.map(\.message) == [Self.words])
            #expect(daemon.text("sheet").contains("Anna") && daemon.text("sheet").contains("Which format?"))
            #expect(read.value.last?.upTo == "msg_1")
        }
    }

    @Test(arguments: ["zenity", "kdialog"])
    func `Closing the reply dialog sends nothing`(name: String) async throws {
        try daemon.install(name, "echo words; exit 1")
        try await answering({ _ in .init(queued: false) }) { sent, _ in
            let program = try await reply()
            #expect(program.exitCode == 0)
            #expect(sent.value.isEmpty)
        }
    }

    @Test(arguments: ["zenity", "kdialog"])
    func `The reply dialog asks for confirmation if the conversation ended while the user was typing`(
        name: String
    ) async throws {
        // The script answers two dialogs: it types a reply in the first dialog and confirms in the second
        // dialog.
        let script = #"[ -e "$HOME/asked" ] && exit 0; : >"$HOME/asked"; echo It is back"#
        try daemon.install(name, script)
        try await answering({ call in
            guard call.reopen == true else { throw Closed(conversation: "conv_1", status: "closed") }
            return .init(messageId: "msg_2", queued: false)
        }) { sent, _ in
            let program = try await reply()
            #expect(program.exitCode == 0)
            #expect(sent.value.map(\.reopen) == [nil, true])
            #expect(sent.value.map(\.message) == ["It is back", "It is back"])
        }
    }

    @Test func `The command prints the reason and exits with 69 if no program can show an input field`()
        async throws
    {
        try await answering({ _ in .init(queued: false) }) { sent, _ in
            let program = try await reply(adding: ["PATH": daemon.directory.file("nothing")])
            #expect(program.exitCode == 69)
            #expect(program.standardError.contains("install a terminal, zenity or kdialog"))
            #expect(sent.value.isEmpty)
        }
    }

    @Test func `An app link cannot be the target of a reply`() async throws {
        try await running {
            let program = try await daemon.cutied("open", "--reply", "cutie://link?token=cutie_ft_42")
            #expect(program.exitCode == 65)
        }
    }
}
