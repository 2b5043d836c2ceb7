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
}
