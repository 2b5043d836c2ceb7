import ArgumentParser
import ControlAPI
import ControlClient
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

/// Tests of verbs that call a stand-in daemon over a real socket.
struct VerbTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    @Test func `The daemon's reply is printed as readable text`() async throws {
        let (session, printed) = daemon.session()
        try await daemon.running {
            $0.on(GetStatus.self) { _ in .sample() }
        } while: {
            try await ctl("status", in: session)
        }
        #expect(printed.text == GetStatus.Reply.sample().text(in: .plain))
    }

    @Test func `With --json, the parameters of the reply are printed on one line`() async throws {
        let (session, printed) = daemon.session(json: true)
        try await daemon.running {
            $0.on(Notifications.self) { _ in .init(enabled: true) }
        } while: {
            try await ctl("notifications", in: session)
        }
        #expect(printed.text == "{\"enabled\":true}\n")
    }

    @Test(arguments: [([], nil), (["--reopen"], true)])
    func `A reply reopens an ended conversation only with --reopen`(_ options: [String], _ reopen: Bool?)
        async throws
    {
        let (session, printed) = daemon.session()
        let seen = Shared<[SendMessage]>([])
        try await daemon.running {
            $0.on(SendMessage.self) { call in
                seen.value += [call.parameters]
                return .init(messageId: "msg_7", queued: false)
            }
        } while: {
            try await ctl(["reply", "conv_1", "It is back"] + options, in: session)
        }
        #expect(seen.value.map(\.message) == ["It is back"] && seen.value.map(\.reopen) == [reopen])
        #expect(printed.text == "msg_7\n")
    }

    @Test func `The arguments of a command are sent to the daemon`() async throws {
        let (session, printed) = daemon.session(input: "from a pipe\n")
        let seen = Shared<[CreateConversation]>([])
        let cleared = Shared<[ClearBadge]>([])
        try await daemon.running {
            $0.on(CreateConversation.self) { call in
                seen.value.append(call.parameters)
                return .init(conversationId: "conv_7", queued: false)
            }
            .on(ClearBadge.self) { call in
                cleared.value.append(call.parameters)
                return .init(badge: BadgeView(total: 0, conversations: [:]), queued: false)
            }
        } while: {
            try await ctl("new", "--category", "bug", "--title", "T", "--account", "work", "-", in: session)
            try await ctl("clear-badge", in: session)
            try await ctl("clearBadge", "conv_7", "--read", in: session)
        }
        let new = try #require(seen.value.first)
        #expect(new.message == "from a pipe" && new.title == "T" && new.account == "work")
        #expect(cleared.value.map(\.conversation) == [nil, "conv_7"])
        #expect(cleared.value.map(\.read) == [nil, true])
        #expect(printed.text == "conv_7\nbadge 0\nbadge 0\n")
    }

    @Test func `A truncated reply from the daemon is reported on standard error or in the JSON output`()
        async throws
    {
        let (plain, printed) = daemon.session()
        var session = plain
        let (script, json) = daemon.session(json: true)
        let remarks = CapturedOutput()
        session.remarks = Output(write: remarks.append)
        let thread = GetConversation.Reply(conversation: .sample(), messages: [.sample()], cut: true)
        try await daemon.running {
            $0.on(GetConversation.self) { _ in thread }.on(ListOutbox.self) { _ in .init(items: []) }
        } while: { [session] in
            try await ctl("show", "conv_1", in: session)
            try await ctl("show", "conv_1", in: script)
        }
        #expect(printed.text == thread.text(in: .plain))
        #expect(remarks.lines.count == 1 && remarks.text.hasPrefix("cutied: the reply was too large;"))
        #expect(json.text.contains(#""cut":true"#))
    }

    @Test func `When a thread is printed, an incomplete list of unsent messages is reported`() async throws {
        let (plain, _) = daemon.session()
        var session = plain
        let remarks = CapturedOutput()
        session.remarks = Output(write: remarks.append)
        let thread = GetConversation.Reply(conversation: .sample(), messages: [.sample()])
        try await daemon.running {
            $0.on(GetConversation.self) { _ in thread }
                .on(ListOutbox.self) { _ in .init(items: [], cut: true) }
        } while: { [session] in
            try await ctl("show", "conv_1", in: session)
        }
        #expect(
            remarks.text == """
                cutied: unsent messages: the reply was too large; long texts are shortened, or newer items \
                are omitted

                """)
    }

    @Test func `A truncated message in the output of "explain" is reported on standard error`() async throws {
        let (plain, printed) = daemon.session()
        var session = plain
        let remarks = CapturedOutput()
        session.remarks = Output(write: remarks.append)
        let reply = Explain.Reply(message: .sample(), steps: [], cut: true)
        try await daemon.running {
            $0.on(Explain.self) { _ in reply }
        } while: { [session] in
            try await ctl("explain", "msg_1", in: session)
        }
        #expect(printed.text == reply.text(in: .plain))
        #expect(remarks.lines.count == 1 && remarks.text.hasPrefix("cutied: the reply was too large;"))
    }

    @Test func `A thread is printed with the user's unsent messages at its end`() async throws {
        let (session, printed) = daemon.session()
        let (script, json) = daemon.session(json: true)
        let thread = GetConversation.Reply(conversation: .sample(), messages: [.sample()])
        @Sendable func item(
            _ id: String, _ conversation: String?, _ text: String?, _ state: String
        ) -> OutboxItem {
            OutboxItem(
                outboxId: id, account: "default", kind: "message", conversationId: conversation, text: text,
                state: state, attempts: 1, createdAt: noon)
        }
        try await daemon.running {
            $0.on(GetConversation.self) { _ in thread }.on(ListOutbox.self) { call in
                #expect(call.parameters.account == "default")
                return .init(items: [
                    item("7", "conv_1", "Wait:\none more", "waiting"), item("8", "conv_2", "x", "waiting"),
                    item("9", "conv_1", "Too long", "failed"), item("10", "conv_1", nil, "waiting"),
                ])
            }
        } while: {
            try await ctl("show", "conv_1", in: session)
            try await ctl("show", "conv_1", in: script)
        }
        let unsent = """

            you  queued  7
              Wait:
              one more

            you  not sent  9
              Too long

            """
        #expect(printed.text == thread.text(in: .plain) + unsent)
        #expect(json.lines.count == 1)
    }

    @Test func `A message that is queued instead of sent is reported, and the exit code is 75`() async throws
    {
        let (session, printed) = daemon.session()
        try await daemon.running {
            $0.on(SendMessage.self) { _ in .init(queued: true, outboxId: "3") }
                .on(RetryOutbox.self) { _ in .init(queued: true, outboxId: "3") }
        } while: {
            await #expect(throws: ExitCode(75)) { try await ctl("reply", "conv_1", "Hi", in: session) }
            await #expect(throws: ExitCode(75)) { try await ctl("outbox", "retry", "3", in: session) }
        }
        #expect(printed.text == "queued\nqueued\n")
    }

    @Test func `An error from the daemon is printed, and the exit code depends on the error`() async throws {
        let (session, printed) = daemon.session()
        try await daemon.running {
            $0.on(GetConversation.self) { _ in throw NotFound(what: "conversation", id: "conv_9") }
        } while: {
            let complaint = await #expect(throws: CommandError.self) {
                try await ctl("show", "conv_9", in: session)
            }
            #expect(complaint?.status == .notFound)
        }
        #expect(printed.text == "")
    }

    @Test func `The error suggests a restart if the daemon does not support the method that a command calls`()
        async throws
    {
        let (session, _) = daemon.session()
        try await daemon.running {
            $0
        } while: {
            let complaint = await #expect(throws: CommandError.self) { try await ctl("resume", in: session) }
            #expect(complaint?.status == .failed)
            #expect(complaint?.advice.contains("restart") == true)
        }
    }

    @Test func `The error is "unreachable" if no daemon is running`() async throws {
        let (session, _) = daemon.session()
        let gone = await #expect(throws: DaemonUnavailable.self) { try await ctl("status", in: session) }
        #expect(gone?.commandError.status == .unreachable)
    }

    @Test func `A command waits for a daemon that is starting`() async throws {
        let (session, printed) = daemon.session(timeout: .seconds(60))
        async let verb: Void = ctl("resume", in: session)
        try await daemon.running {
            $0.on(Resume.self) { _ in .init() }
        } while: {
            try await eventually("the reply") { printed.text == "notifications are no longer paused\n" }
        }
        try await verb
    }

    @Test func `The command ctl status can be limited to one account`() async throws {
        let (session, printed) = daemon.session(json: true)
        let status = GetStatus.Reply.sample(accounts: [.sample("work"), .sample("home", state: .offline)])
        try await daemon.running {
            $0.on(GetStatus.self) { _ in status }
        } while: {
            try await ctl("status", "--account", "home", in: session)
        }
        #expect(printed.text.contains("\"state\":\"offline\""))
        #expect(!printed.text.contains("\"name\":\"work\""))
    }
}
