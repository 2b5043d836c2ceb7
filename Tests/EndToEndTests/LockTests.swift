import Foundation
import TestSupport
import Testing

/// Tests of notifications while the screen is locked. The daemon runs a fake `loginctl` that prints the lock
/// state that the test sets.
@Suite struct `A locked screen` {
    private let login: StandInLogin

    init() throws { login = try StandInLogin() }

    private func with(_ configuration: String = "", _ body: (EndToEndFixture) async throws -> Void)
        async throws
    {
        try await EndToEndFixture.with(
            {
                $0.environment = login.environment
                $0.configuration = configuration
            }, body)
    }

    private func lastStep(_ message: String, in fixture: EndToEndFixture) async throws -> String? {
        try await fixture.daemon.fetchLedger(of: message).steps.last?.detail
    }

    @Test
    func `While the screen is locked, no message text is shown; no reply is shown again after unlocking`()
        async throws
    {
        try await with { fixture in
            try login.answer("yes")
            let conversation = try await fixture.daemon.startConversation("Salary negotiation")
            let hidden = try await fixture.sandbox.reply("The offer is ...", in: conversation)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.summary == "1 new reply")
            #expect(popup.body.isEmpty)
            #expect(!popup.hints.values.contains { $0.contains("Salary") || $0.contains("offer") })
            try await eventually("the hidden text is explained") {
                try await lastStep(hidden, in: fixture)?.hasSuffix(
                    ", without names and text: the screen is locked") == true
            }
            try login.answer("no")
            let other = try await fixture.daemon.startConversation("Lunch")
            try await fixture.sandbox.reply("At noon", in: other)
            let notifications = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(notifications.map(\.body) == ["", "At noon"])
        }
    }

    @Test func `A locked screen shows the sender and the title if "locked" is set to "sender"`() async throws
    {
        try await with("notifications: {locked: sender}") { fixture in
            try login.answer("yes")
            let popup = try await fixture.showReply("Salary negotiation", "The offer is ...")
            #expect(popup.summary.contains("Salary negotiation"))
            #expect(popup.body == "1 new reply")
        }
    }

    @Test
    func `Notifications are held until the screen is unlocked if "locked" is set to "hold"`()
        async throws
    {
        try await with("notifications: {locked: hold}") { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try login.answer("yes")
            try await replies.send(3)
            for message in replies.sent {
                try await eventually("the reply is held") {
                    try await lastStep(message.id, in: fixture) == "the screen is locked"
                }
            }
            #expect(try fixture.notificationServer.notifications.isEmpty)
            try login.answer("no")
            try await replies.announced()
            // A second attempt is allowed, because the first attempt may begin before the daemon detects the
            // locked screen.
            try await replies.expectShownOnce(attempts: 1...2)
            #expect(try fixture.notificationServer.notifications.count == 1)
        }
    }

    @Test(arguments: ["full", "count"])
    func `The daemon queries the lock state only if the state affects notifications`(preview: String)
        async throws
    {
        try await with("notifications: {preview: \(preview), locked: \(preview)}") { fixture in
            try login.answer("yes")
            _ = try await fixture.showReply("Salary negotiation", "The offer is ...")
            #expect(try login.calls.isEmpty)
        }
    }

    @Test(arguments: ["maybe", "", "hang", "fail", "noise"])
    func `An unknown lock state counts as unlocked, so the notification is shown`(answer: String)
        async throws
    {
        try await with { fixture in
            try login.answer(answer)
            let popup = try await fixture.showReply("Salary negotiation", "The offer is ...")
            #expect(popup.body == "The offer is ...")
            #expect(try login.calls == ["show-session 7 -p LockedHint --value"])
        }
    }
}

/// A test with the state files of logind. Replacing them requires a mount namespace.
struct GraphicalSessionTests {
    @Test(.enabled(if: Namespace.mounts.isPossible, "mount namespaces cannot be made here (unshare -rm)"))
    func `The suite InGraphicalSessionsTests passes in a mount namespace`() async throws {
        guard !Namespace.mounts.isEntered else { return }
        let child = try Namespace.mounts.run(suite: "InGraphicalSessionsTests")
        let code = try await child.waitForExit()
        let output = child.standardOutput + child.standardError
        #expect(code == 0 && output.contains("1 test "), "\(output)")
    }
}

@Suite(.enabled(if: Namespace.mounts.isEntered, "run by GraphicalSessionTests"))
struct InGraphicalSessionsTests {
    @Test func `Each reply queries the session that is graphical at that time`() async throws {
        let (login, logind) = (try StandInLogin(), try StandInLogind())
        try login.answer("no")
        try await EndToEndFixture.with({ $0.environment = login.environment }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Question")
            var queried: [String] = []
            // The last session ends. The daemon was started in session 7.
            for session in ["c1", "c1", "4", "c12", nil, "c1", "c1", nil] {
                try logind.setGraphicalSession(session)
                queried.append("show-session \(session ?? "7") -p LockedHint --value")
                try await fixture.sandbox.reply("Answer", in: conversation)
                _ = try await fixture.notificationServer.waitForNotifications(atLeast: queried.count)
                let calls = try login.calls
                #expect(calls == queried)
            }
        }
    }
}

/// A fake logind: its state files in the `/run` of this mount namespace.
private final class StandInLogind {
    private let directory: TemporaryDirectory
    private var file: String { directory.file("systemd/users/\(getuid())") }

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("systemd/users"), withIntermediateDirectories: true)
        try #require(system("mount --bind \(directory.path) /run") == 0)
    }

    deinit { _ = system("umount -l /run") }

    /// Replaces the state file of the user atomically, as logind does; deletes the file if `session` is `nil`.
    func setGraphicalSession(_ session: String?) throws {
        guard let session else { return try FileManager.default.removeItem(atPath: file) }
        try "NAME=user\nSTATE=active\nDISPLAY=\(session)\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
    }
}

/// A fake `loginctl` that prints the lock state set by a test and records its arguments.
struct StandInLogin {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let script = """
            #!/bin/sh
            echo "$*" >>"\(directory.file("calls"))"
            answer=; { read -r answer <"\(directory.file("answer"))"; } 2>/dev/null
            case $answer in
            hang) trap '' TERM; while :; do sleep 1; done ;;
            fail) echo yes; exit 1 ;;
            noise) while :; do echo yes; done ;;
            *) echo "$answer" ;;
            esac

            """
        try installScript(script, at: directory.file("loginctl"))
    }

    /// The environment of a daemon in session 7 that runs this `loginctl`.
    var environment: [String: String] {
        [
            "PATH": directory.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
            "XDG_SESSION_ID": "7",
        ]
    }

    func answer(_ text: String) throws {
        try text.write(toFile: directory.file("answer"), atomically: true, encoding: .utf8)
    }

    /// The arguments of each call, oldest first.
    var calls: [String] {
        get throws {
            guard FileManager.default.fileExists(atPath: directory.file("calls")) else { return [] }
            return try String(contentsOfFile: directory.file("calls"), encoding: .utf8)
                .split(separator: "\n").map(String.init)
        }
    }
}
