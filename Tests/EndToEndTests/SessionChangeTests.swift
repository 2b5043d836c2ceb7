import Foundation
import TestSupport
import Testing

/// Tests in which the host name and the environment of the session change while the daemon runs. Similar
/// tests: `TimeZoneTests` (time zone), `LanguageTests` (language), `SessionRestartTests` (bus and keyring).
@Suite struct `Changes of the session` {
    @Test func `Programs are started with the display of the current session`() async throws {
        let session = try SessionManager()
        try await EndToEndFixture.with({
            $0.isConnected = false
            $0.environment = [
                "DISPLAY": ":1", "WAYLAND_DISPLAY": "", "PATH": session.programs + ":/usr/bin:/bin",
            ]
        }) { fixture in
            let file = fixture.daemon.directory.file("displays")
            let record: (String) -> String = { name in
                "[/bin/sh, -c, 'echo \"\(name) [$DISPLAY] [$WAYLAND_DISPLAY]\" >>\(file)']"
            }
            try fixture.daemon.configure(
                """
                app_id: \(fixture.sandbox.appID)
                api_url: \(fixture.sandbox.url)
                opener: \(record("opener"))
                hooks: {on_reply: \(record("hook"))}
                questions: false

                """)
            let written: () -> [String] = {
                let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
                return text.split(separator: "\n").map(String.init)
            }
            try session.listen(in: fixture.daemon.directory.file("run"))
            try session.begin(["DISPLAY": ":7"])
            let daemon = try session.startDaemon(of: fixture)
            try await eventually("the daemon responds") { (try? await fixture.daemon.fetchStatus()) != nil }
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await fixture.daemon.startConversation("Question")
            for (environment, displays) in [
                (["DISPLAY": ":7"], "[:7] []"),
                (["DISPLAY": ":8", "WAYLAND_DISPLAY": "wayland-1"], "[:8] [wayland-1]"),
                (["WAYLAND_DISPLAY": "wayland-0"], "[] [wayland-0]"),
            ] {
                try session.begin(environment)
                let count = try fixture.notificationServer.notifications.count
                try await fixture.sandbox.reply("Reply for \(displays)", in: conversation)
                let popup = try await fixture.notificationServer.waitForNotifications(atLeast: count + 1)[
                    count]
                try await eventually("the hook") { written().last == "hook " + displays }
                try await fixture.notificationServer.invoke("default", on: popup.id)
                try await eventually("the opener") { written().last == "opener " + displays }
            }
            daemon.signal(SIGTERM)
            #expect(try await daemon.waitForExit() == 0)
        }
    }

    @Test(.enabled(if: Namespace.hostName.isPossible, "UTS namespaces cannot be created here (unshare -ru)"))
    func `After the computer is renamed, links contain the new name`() async throws {
        guard !Namespace.hostName.isEntered else { return }
        let child = try Namespace.hostName.run(suite: "WithAnotherHostNameTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("1 test "), "\(output)")
    }
}

@Suite(.enabled(if: Namespace.hostName.isEntered, "run by SessionChangeTests"))
struct WithAnotherHostNameTests {
    @Test func `The name of a linked device is the computer's current host name`() async throws {
        try rename(to: "before")
        try await EndToEndFixture.with { fixture in
            try await fixture.withLaptop { laptop in
                try rename(to: "after.example.org")
                let start = try fixture.daemon.startVerb(["link", "start"])
                try await eventually("a token") { start.lines.contains { $0.hasPrefix("link token ") } }
                let line = try #require(start.lines.first { $0.hasPrefix("link token ") })
                let token = try #require(line.dropFirst("link token ".count).split(separator: ",").first)
                let confirm = try await laptop.ctl("link", "confirm", String(token))
                try #require(confirm.code == 0, "\(confirm.error)")
                try await eventually("the device in the list of devices") {
                    let list = try await fixture.daemon.ctl("link", "devices").output
                    return list.contains("after") && !list.contains("before") && !list.contains("example")
                }
            }
        }
    }

    private func rename(to name: String) throws {
        try #require(sethostname(name, name.utf8.count) == 0)
    }
}
