import Control
import ControlAPI
import Foundation
import TestSupport
import Testing
import VarlinkSocket

/// Tests of `cutied open`, which the desktop runs to open a link.
struct OpenCommandTests {
    let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    func running(_ body: () async throws -> Void) async throws {
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
            }, while: body)
    }

    @Test func `Without a display, the thread is printed on standard output`() async throws {
        try await running {
            let program = try await daemon.cutied("open", "cutie://conversation/conv_1")
            #expect(program.exitCode == 0)
            #expect(program.standardOutput.hasPrefix("Export  conv_1\n"))
        }
    }

    @Test
    func `The exit code is 66 for an unknown conversation, 65 for an invalid link, and 69 without a daemon`()
        async throws
    {
        try await running {
            let unknown = try await daemon.cutied("open", "cutie://conversation/conv_2")
            #expect(unknown.exitCode == 66)
            let foreign = try await daemon.cutied("open", "cutie://conversation/..%2f")
            #expect(foreign.exitCode == 65)
        }
        let alone = try await daemon.cutied("open", "cutie://conversation/conv_1")
        #expect(alone.exitCode == 69)
    }

    @Test(arguments: ["cutie:///", "https://example.org/", "cutie://conversation/%00"])
    func `The error for an invalid link does not contain the link`(link: String) {
        let complaint = #expect(throws: CommandError.self) { try LinkOpener(link) }
        #expect(complaint?.status == .badData)
        #expect(complaint?.line.hasPrefix("cutied: ") == true)
        #expect(complaint?.line.contains("the link") == true)
        #expect(complaint?.line.contains("nothing was opened") == true)
        #expect(complaint?.line.contains("cannot be used") == false)
        #expect(complaint?.line.contains(link) == false)
    }

    @Test func `On a desktop, a terminal window shows the thread and stays open`() async throws {
        try daemon.install("myterm", #"shift; echo | "$@" >"$HOME/window""#)
        try await running {
            let program = try await daemon.cutied(
                "open", "cutie://conversation/conv_1",
                adding: ["DISPLAY": ":99", "TERMINAL": daemon.directory.file("bin/myterm")])
            #expect(program.exitCode == 0)
            #expect(program.standardOutput.isEmpty)
            #expect(daemon.text("window").hasPrefix("Export  conv_1\n"))
            #expect(daemon.text("window").hasSuffix("Press Enter to close."))
        }
    }

    @Test(arguments: [
        ("zenity", #"cp "${2#--filename=}" "$HOME/window"; stat -c %a "${2#--filename=}" >"$HOME/mode""#),
        ("kdialog", #"cp "$4" "$HOME/window"; stat -c %a "$4" >"$HOME/mode""#),
    ])
    func `A dialog shows the thread from a temporary file if no terminal is installed`(
        name: String, script: String
    )
        async throws
    {
        try daemon.install(name, "PATH=/bin:/usr/bin\n\(script)\nexit 1")
        try await running {
            let program = try await daemon.cutied(
                "open", "cutie://conversation/conv_1",
                adding: ["WAYLAND_DISPLAY": "w", "PATH": daemon.directory.file("bin")])
            #expect(program.exitCode == 0)
            #expect(daemon.text("window").hasPrefix("Export  conv_1\n"))
            #expect(daemon.text("mode") == "600\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: daemon.directory.path)
            #expect(!left.contains { $0.hasPrefix("cutied-") })
        }
    }

    @Test(arguments: [("gnome-terminal", "--"), ("xfce4-terminal", "-x"), ("unheard-of", "-e")])
    func `Each terminal program is started with its own option for running a command`(
        name: String, option: String
    )
        async throws
    {
        let script = #"[ "$1" = "\#(option)" ] && shift; echo | "$@" >"$HOME/window""#
        try daemon.install(name, "PATH=/bin:/usr/bin\n" + script)
        try await running {
            let program = try await daemon.cutied(
                "open", "cutie://conversation/conv_1",
                adding: ["DISPLAY": ":99", "TERMINAL": name, "PATH": daemon.directory.file("bin")])
            #expect(program.exitCode == 0)
            #expect(daemon.text("window").hasPrefix("Export  conv_1\n"))
        }
    }

    @Test func `The linked message is marked, and a message that does not exist is reported`() async throws {
        try await answering({ _ in .init(queued: false) }) { _, read in
            let found = try await daemon.cutied("open", "cutie://conversation/conv_1?message=msg_1")
            #expect(found.standardOutput.contains("\n▶ Anna  "))
            #expect(found.standardError.isEmpty)
            let lost = try await daemon.cutied("open", "cutie://conversation/conv_1?message=msg_9")
            #expect(lost.exitCode == 0)
            #expect(lost.standardOutput.contains("\nAnna  "))
            #expect(lost.standardError.contains("the linked message is not stored on this computer"))
            #expect(read.value.map(\.upTo) == ["msg_1", "msg_1"])
        }
    }

    @Test func `A linked message that would scroll off the screen is shown at the top of a pager`()
        async throws
    {
        let less = #"printf '%s|' "$LESSSECURE" "$@" >"$HOME/asked"; cat >"$HOME/window""#
        try daemon.install("less", "PATH=/bin:/usr/bin\n" + less)
        // A terminal with 24 lines is too small for the thread, so a pager is used.
        let inTerminal = """
            import fcntl, os, pty, struct, sys, termios
            pid, screen = pty.fork()
            if not pid:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
                os.execv(sys.argv[1], sys.argv[1:])
            try:
                while os.read(screen, 4096): pass
            except OSError: pass
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let messages = (0..<40).map { number in
            MessageView(
                account: "default", messageId: "msg_\(number)", conversationId: "conv_1", senderType: "admin",
                senderName: "Anna", message: "Text \(number)", messageType: "text", createdAt: 1)
        }
        try await daemon.running(
            {
                $0.on(GetConversation.self) { _ in
                    GetConversation.Reply(
                        conversation: ConversationView(
                            account: "default", conversationId: "conv_1", status: "open", badge: 0),
                        messages: messages)
                }
            },
            while: {
                for (message, line) in [("msg_3", "+13"), ("msg_39", nil)] {
                    try? FileManager.default.removeItem(atPath: daemon.directory.file("asked"))
                    let program = try SpawnedProgram(
                        "/usr/bin/python3",
                        [
                            "-c", inTerminal, BuiltProduct.path(of: "cutied"), "open",
                            "cutie://conversation/conv_1?message=" + message,
                        ],
                        environment: [
                            "PATH": daemon.directory.file("bin"), "HOME": daemon.directory.path,
                            "TERM": "xterm",
                            "CUTIED_SOCKET": daemon.socket, "XDG_RUNTIME_DIR": daemon.directory.path,
                            "NO_COLOR": "1",
                        ])
                    #expect(try await program.waitForExit() == 0)
                    let asked = daemon.text("asked").split(separator: "|").map(String.init)
                    #expect(asked.last == line)
                    // LESSSECURE prevents `less` from starting a shell when the user presses a key.
                    #expect(asked.first == (line == nil ? nil : "1"))
                }
                let lines = daemon.text("window").split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines[12].hasPrefix("▶ Anna") && lines[12].hasSuffix("msg_3"))
            })
    }

    @Test func `The thread is printed on standard output if the terminal program fails`() async throws {
        try daemon.install("broken", "exit 3")
        try await running {
            let program = try await daemon.cutied(
                "open", "cutie://conversation/conv_1",
                adding: ["DISPLAY": ":99", "TERMINAL": "broken", "PATH": daemon.directory.file("bin")])
            #expect(program.exitCode == 0)
            #expect(program.standardOutput.hasPrefix("Export  conv_1\n"))
        }
    }

    /// Runs `body` with a notification server, and with a PATH that contains no program that can display a
    /// thread.
    private func desktop(
        _ body: (RecordingNotificationServer, [String: String]) async throws -> Void
    ) async throws {
        let bus = try await PrivateBus()
        let server = try await RecordingNotificationServer(on: bus)
        let session = ["DISPLAY": ":99", "PATH": daemon.directory.file("bin")]
        try await body(server, bus.environment.merging(session) { $1 })
        try await server.killProcess()
    }

    @Test(arguments: [
        ("cutie://nonsense", Int32(65), "The link leads"),
        ("cutie://conversation/conv_2", 66, "The conversation conv_2 is not stored"),
    ])
    func `If a link cannot be opened and there is no terminal, a notification reports the error`(
        link: String, code: Int32, words: String
    ) async throws {
        try await desktop { server, session in
            try await running {
                let program = try await daemon.cutied("open", link, adding: session)
                #expect(program.exitCode == code)
                #expect(program.standardError.hasPrefix("cutied: "))
            }
            let notification = try #require(try await server.waitForNotifications(atLeast: 1).first)
            #expect(notification.summary == "Cannot open the link")
            #expect(notification.body.hasPrefix(words), "\(notification.body)")
            #expect(!notification.body.contains(link))
        }
    }

    @Test func `A notification reports the error if the daemon is unreachable`() async throws {
        try await desktop { server, session in
            let program = try await daemon.cutied("open", "cutie://conversation/conv_1", adding: session)
            #expect(program.exitCode == 69)
            #expect(program.standardError.contains("it is not running"))
            let notification = try #require(try await server.waitForNotifications(atLeast: 1).first)
            #expect(
                notification.body
                    == "Cuti-E is not running.\nStart Cuti-E with: systemctl --user restart cutied",
                "\(notification.body)")
            // The hint is omitted because GNOME removes the notifications of a known app when the app exits.
            #expect(notification.hints["desktop-entry"] == nil)
        }
    }

    @Test func `A notification reports that no terminal program is installed`()
        async throws
    {
        try await desktop { server, session in
            try await running {
                let program = try await daemon.cutied("open", "cutie://conversation/conv_1", adding: session)
                #expect(program.exitCode == 0)
                #expect(program.standardOutput.hasPrefix("Export  conv_1\n"))
            }
            let notification = try #require(try await server.waitForNotifications(atLeast: 1).first)
            #expect(notification.body.contains("No terminal"), "\(notification.body)")
        }
    }
}
