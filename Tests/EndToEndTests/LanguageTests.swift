import Foundation
import TestSupport
import Testing

@Suite struct `The user's language` {
    private let locales: LocaleFixture

    init() throws { locales = try LocaleFixture() }

    @Test func `A German user sees notifications and reasons in German, and command line output in English`()
        async throws
    {
        try await EndToEndFixture.with({ $0.environment = locales.environment(of: "de") }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Absturz")
            for text in ["Eins", "Zwei"] { try await fixture.sandbox.reply(text, in: conversation) }
            try await eventually("both replies in one notification") {
                try fixture.notificationServer.notifications.last?.body == "2 neue Antworten:\nZwei"
            }
            let popup = try fixture.notificationServer.notifications[0]
            #expect(popup.summary == "Support — Absturz")
            let labels = stride(from: 1, to: popup.actions.count, by: 2).map { popup.actions[$0] }
            #expect(labels.sorted() == ["Als gelesen markieren", "Antworten", "Öffnen"])
            #expect(try await fixture.daemon.ctl("status").output.contains("connected by stream"))
            #expect(try await fixture.daemon.ctl("show", conversation).output.contains("just now"))
            #expect(fixture.daemon.journal.contains(" ready"))
        }
    }

    @Test func `A German user sees the reason for an unreachable API in German`() async throws {
        try await EndToEndFixture.with({ $0.environment = locales.environment(of: "de") }) { fixture in
            let conversation = try await fixture.daemon.startConversation("Absturz")
            try await fixture.sandbox.stop()
            try await fixture.daemon.waitForStatus("the account is offline") { $0.state == "offline" }
            #expect(try await fixture.daemon.ctl("reply", conversation, "Hallo").code == 75)
            try await eventually("a connection attempt has failed") {
                try await fixture.daemon.fetchStatus().accounts[0].reason?.contains("cannot be reached")
                    == true
            }
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            let window = try fixture.startWindow([conversation], user)
            try await user.waitFor(.anything("Offline"))
            try await user.waitFor(.anything("nicht erreichbar"))
            try await fixture.saveScreenshot(of: user, "german-offline")
            for english in [
                "cannot be reached", "check your network connection", "Could not connect", "was lost",
            ] {
                #expect(try await user.count(.anything(english)) == 0, "\(english)")
            }
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }

    @Test func `A question is shown in Arabic in a notification, and in English on the command line`()
        async throws
    {
        try await EndToEndFixture.with({
            $0.environment = locales.environment(of: "ar")
            $0.asksQuestions = true
        }) { fixture in
            try await eventually("the question") { try !fixture.notificationServer.questions.isEmpty }
            let question = try fixture.notificationServer.questions[0]
            #expect(question.summary == "أتريد إظهار إشعارات الردود؟")
            #expect(question.actions.contains("إبقاء") && question.actions.contains("إيقاف"))
            let output = try await fixture.daemon.ctl("questions").output
            #expect(
                output.contains("Show notifications for replies?")
                    && output.contains("refuse: Turn Off"))
        }
    }

    @Test func `Arabic notifications use the plural form that matches the count`() async throws {
        try await EndToEndFixture.with({
            $0.environment = locales.environment(of: "ar")
            $0.hasNotificationServer = false
        }) { fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(3)
            try await fixture.daemon.waitForBadge(3)
            try await fixture.showNotifications()
            let summary = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(summary.summary == "3 ردود غير مقروءة")
            #expect(summary.body.hasPrefix("في محادثتين:\n"))
        }
    }

    @Test func `A daemon that starts before any session uses the language of each later session`()
        async throws
    {
        let session = try SessionManager()
        let environment = locales.environment(of: "de").merging([
            "LC_ALL": "", "PATH": session.programs + ":/usr/bin:/bin",
        ]) { $1 }
        try await EndToEndFixture.with({
            $0.environment = environment
            $0.hasNotificationServer = false
            $0.isConnected = false
        }) { fixture in
            try session.listen(in: fixture.daemon.directory.file("run"))
            let daemon = try session.startDaemon(of: fixture)
            try await eventually("the daemon responds") { (try? await fixture.daemon.fetchStatus()) != nil }
            try await fixture.daemon.waitUntilConnected()
            let conversation = try await fixture.daemon.startConversation("Crash")
            try session.begin(["LANG": locales.name(of: "ja")])
            try await fixture.showNotifications()
            try await fixture.sandbox.reply("Hello", in: conversation)
            let popup = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(popup.actions.contains("返信"))
            // Simulates a logout and a new login, with another language and another session bus.
            #expect(try await fixture.daemon.ctl("read", conversation).code == 0)
            try await fixture.killBus()
            try session.begin(["LANG": locales.name(of: "ar")])
            try await fixture.restartBus()
            try await fixture.showNotifications()
            try await fixture.sandbox.reply("Hello again", in: conversation)
            try await eventually("a notification in the new language", within: .seconds(30)) {
                try fixture.notificationServer.notifications.last?.actions.contains("رد") == true
            }
            daemon.signal(SIGTERM)
            #expect(try await daemon.waitForExit() == 0)
        }
    }
}
