import Control
import ControlAPI
import TestSupport
import Testing
import VarlinkSocket

/// Tests of `cutied open` with the window program `cutied-inbox` installed.
struct OpenWindowTests {
    let daemon: StandInDaemon
    private let link = "cutie://conversation/conv_1?account=default&message=msg_1"

    init() throws { daemon = try StandInDaemon() }

    private var desktop: [String: String] {
        ["DISPLAY": ":99", "PATH": daemon.directory.file("bin") + ":/usr/bin:/bin"]
    }

    private func installWindow(endingWith code: Int = 0) throws {
        try daemon.install("cutied-inbox", #"for word; do echo "$word"; done >"$HOME/shown"; exit \#(code)"#)
    }

    private func running(_ body: () async throws -> Void) async throws {
        try await daemon.running(
            {
                $0.on(GetConversation.self) { call in
                    let id = call.parameters.conversation
                    guard id == "conv_1" else { throw NotFound(what: "conversation", id: id) }
                    return GetConversation.Reply(
                        conversation: ConversationView(
                            account: "default", conversationId: id, status: "open", title: "Export", badge: 0),
                        messages: [])
                }
                .on(ListConversations.self) { _ in
                    .init(conversations: [], badge: BadgeView(total: 0, conversations: [:]))
                }
            }, while: body)
    }

    @Test func `A link is opened in the window, and errors are reported by the window`() async throws {
        try installWindow()
        let opened = try await daemon.cutied("open", link, adding: desktop)
        #expect(opened.exitCode == 0)
        #expect(daemon.text("shown") == link + "\n")
        let reply = try await daemon.cutied("open", "--reply", link, adding: desktop)
        #expect(reply.exitCode == 0)
        #expect(daemon.text("shown") == "--reply\n\(link)\n")
        let app = try await daemon.cutied("open", "cutie://link?token=cutie_ft_42", adding: desktop)
        #expect(app.exitCode == 0)
        #expect(daemon.text("shown") == "cutie://link?token=cutie_ft_42\n")
    }

    @Test func `The thread is shown in a terminal if the window fails to start`() async throws {
        try installWindow(endingWith: 69)
        try daemon.install("myterm", #"shift; echo | "$@" >"$HOME/window""#)
        try await running {
            let terminal = ["TERMINAL": daemon.directory.file("bin/myterm")]
            let opened = try await daemon.cutied("open", link, adding: desktop.merging(terminal) { $1 })
            #expect(opened.exitCode == 0)
            #expect(daemon.text("shown") == link + "\n")
            #expect(daemon.text("window").hasPrefix("Export  conv_1\n"))
        }
    }

    @Test
    func `The command ctl open shows the inbox or a thread in the window, and ctl new shows the form`()
        async throws
    {
        try installWindow()
        try await running {
            let thread = try await daemon.cutied("ctl", "open", "conv_1", adding: desktop)
            #expect(thread.exitCode == 0 && thread.standardOutput.isEmpty)
            #expect(daemon.text("shown") == "conv_1\n--account\ndefault\n")
            let unknown = try await daemon.cutied("ctl", "open", "conv_2", adding: desktop)
            #expect(unknown.exitCode == 66)
            let inbox = try await daemon.cutied("ctl", "open", adding: desktop)
            #expect(inbox.exitCode == 0 && daemon.text("shown").isEmpty)
            let form = try await daemon.cutied("ctl", "new", "--account", "work", adding: desktop)
            #expect(form.exitCode == 0)
            #expect(daemon.text("shown") == "--compose\n--account\nwork\n")
        }
    }

    @Test func `Without a window, the command ctl open prints the thread, and ctl new requires a message`()
        async throws
    {
        try await running {
            let thread = try await daemon.cutied("ctl", "open", "conv_1", adding: desktop)
            #expect(thread.standardOutput.hasPrefix("Export  conv_1\n"))
            #expect(try await daemon.cutied("ctl", "open").standardOutput == "no conversations\n")
            let form = try await daemon.cutied("ctl", "new", adding: desktop)
            #expect(form.exitCode == 64)
            #expect(form.standardError.contains("--category bug"))
        }
    }

    @Test func `With --json, no window is opened`() async throws {
        try installWindow()
        try await running {
            let thread = try await daemon.cutied("ctl", "open", "conv_1", "--json", adding: desktop)
            #expect(thread.standardOutput.contains(#""conversationId":"conv_1""#))
            #expect(daemon.text("shown").isEmpty)
        }
    }
}
