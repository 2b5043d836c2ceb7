import Foundation
import TestSupport
import Testing

@Suite struct `Clicks on notifications if the window is installed` {
    /// Installs a fake window program, which records its arguments and then runs `script`.
    private func installWindow(_ script: String) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let program = directory.file("cutied-inbox")
        let recordedLaunches = directory.file("told")
        try installScript(
            "#!/bin/sh\necho \"$* $XDG_ACTIVATION_TOKEN $DESKTOP_STARTUP_ID\" >>'\(recordedLaunches)'\n\(script)\n",
            at: program)
        return directory
    }

    private func recordedLaunches(_ directory: TemporaryDirectory) -> [String] {
        let text = (try? String(contentsOfFile: directory.file("told"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    private func desktop(with window: TemporaryDirectory) -> [String: String] {
        ["DISPLAY": ":99", "PATH": window.path + ":/usr/bin:/bin"]
    }

    @Test func `The window opens after a click or the action "Reply", and gets the activation token`()
        async throws
    {
        let window = try installWindow("exit 0")
        try await EndToEndFixture.with({
            $0.environment = desktop(with: window)
            $0.isConnected = false
        }) { fixture in
            try fixture.daemon.configure(
                "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\nquestions: false\n")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            let popup = try await fixture.showReply("Question", "Answer")
            let conversation = try await fixture.daemon.fetchInbox()[0].conversationId
            let message = try #require(try await fixture.daemon.fetchThread(conversation).messages.last)
                .messageId
            let link = "cutie://conversation/\(conversation)?account=default&message=\(message)"
            try await fixture.notificationServer.invoke("default", on: popup.id, token: "token-1")
            try await eventually("the window") { recordedLaunches(window) == ["\(link) token-1 token-1"] }
            try await fixture.notificationServer.invoke("reply", on: popup.id, token: "token-2")
            try await eventually("the launch with the composer") {
                recordedLaunches(window).last == "--reply \(link) token-2 token-2"
            }
        }
    }

    @Test
    func `A configured opener replaces the window, and xdg-open is used if the window fails to start`()
        async throws
    {
        let window = try installWindow("exit 69")
        try await EndToEndFixture.with({ $0.environment = desktop(with: window) }) { fixture in
            let popup = try await fixture.showReply("Question", "Answer")
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await eventually("the opener") { !fixture.opened.isEmpty }
            #expect(recordedLaunches(window).isEmpty)
            try installScript(
                "#!/bin/sh\necho \"$1\" >>'\(window.file("opened"))'\n", at: window.file("xdg-open"))
            try fixture.daemon.configure(
                "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\nquestions: false\n")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            try await fixture.notificationServer.invoke("default", on: popup.id)
            try await eventually("the desktop's handler") {
                FileManager.default.fileExists(atPath: window.file("opened"))
            }
            #expect(recordedLaunches(window).count == 1)
        }
    }
}
