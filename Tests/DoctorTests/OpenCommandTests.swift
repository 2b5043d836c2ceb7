import Control
import ControlAPI
import Foundation
import TestSupport
import Testing
import VarlinkSocket

/// `cutied open` as the desktop runs it.
struct OpenCommandTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

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
            }, while: body)
    }

    @Test func `Without a display the thread is printed`() async throws {
        try await running {
            let program = try await daemon.cutied("open", "cutie://conversation/conv_1")
            #expect(program.exitCode == 0)
            #expect(program.standardOutput.hasPrefix("Export  conv_1\n"))
        }
    }

    @Test func `An unknown conversation ends with 66, a bad link with 65, a missing daemon with 69`()
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
    func `What is said of a bad link does not repeat it`(link: String) {
        let complaint = #expect(throws: Complaint.self) { try LinkOpening(link) }
        #expect(complaint?.status == .badData)
        #expect(complaint?.line.contains("nothing was opened") == true)
        #expect(complaint?.line.contains(link) == false)
    }

    @Test func `On a desktop a terminal window shows it and stays`() async throws {
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
    func `Without a terminal a dialog shows it, by a file that goes with it`(name: String, script: String)
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

    @Test func `A terminal that fails leaves the thread to standard output`() async throws {
        try daemon.install("broken", "exit 3")
        try await running {
            let program = try await daemon.cutied(
                "open", "cutie://conversation/conv_1",
                adding: ["DISPLAY": ":99", "TERMINAL": "broken", "PATH": daemon.directory.file("bin")])
            #expect(program.exitCode == 0)
            #expect(program.standardOutput.hasPrefix("Export  conv_1\n"))
        }
    }

    /// A desktop with a notification server and, in PATH, nothing to show a thread with.
    private func desktop(
        _ body: (RecordingNotificationServer, [String: String]) async throws -> Void
    ) async throws {
        let bus = try await PrivateBus()
        let server = try await RecordingNotificationServer(on: bus)
        let session = ["DISPLAY": ":99", "PATH": daemon.directory.file("bin")]
        try await body(server, bus.environment.merging(session) { $1 })
        try await server.die()
    }

    @Test(arguments: [
        ("cutie://nonsense", Int32(65), "This link"), ("cutie://conversation/conv_2", 66, "There is no"),
    ])
    func `A link that cannot be opened is told by pop-up to who has no terminal`(
        link: String, code: Int32, words: String
    ) async throws {
        try await desktop { server, session in
            try await running {
                let program = try await daemon.cutied("open", link, adding: session)
                #expect(program.exitCode == code)
                #expect(program.standardError.hasPrefix("cutied: "))
            }
            let told = try #require(try await server.notifications(atLeast: 1).first)
            #expect(told.summary == "That could not be opened")
            #expect(told.body.hasPrefix(words), "\(told.body)")
            #expect(!told.body.contains(link))
        }
    }

    @Test func `That the daemon cannot be reached is told by pop-up, too`() async throws {
        try await desktop { server, session in
            let program = try await daemon.cutied("open", "cutie://conversation/conv_1", adding: session)
            #expect(program.exitCode == 69)
            #expect(program.standardError.contains("it does not run"))
            let told = try #require(try await server.notifications(atLeast: 1).first)
            #expect(
                told.body == "Cuti-E is not running.\nStart it with: systemctl --user restart cutied",
                "\(told.body)")
            // GNOME takes the pop-ups of an application that it knows away when that ends.
            #expect(told.hints["desktop-entry"] == nil)
        }
    }

    @Test func `A desktop without a terminal tells so by pop-up`() async throws {
        try await desktop { server, session in
            try await running {
                let program = try await daemon.cutied("open", "cutie://conversation/conv_1", adding: session)
                #expect(program.exitCode == 0)
                #expect(program.standardOutput.hasPrefix("Export  conv_1\n"))
            }
            let told = try #require(try await server.notifications(atLeast: 1).first)
            #expect(told.body.contains("no terminal"), "\(told.body)")
        }
    }
}
