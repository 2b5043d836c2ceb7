import Foundation
import TestSupport
import Testing

@Suite struct `The user's language` {
    private let locales: LocaleFixture

    init() throws { locales = try LocaleFixture() }

    @Test func `A German user sees German notifications and reasons, and programs get English`() async throws
    {
        try await Household.with({ $0.environment = locales.environment(of: "de") }) { home in
            let conversation = try await home.daemon.converse("Absturz")
            for text in ["Eins", "Zwei"] { try await home.sandbox.reply(text, in: conversation) }
            try await eventually("both in one pop-up") {
                try home.popups.notifications.last?.body == "2 neue Antworten:\nZwei"
            }
            let popup = try home.popups.notifications[0]
            #expect(popup.summary == "Support — Absturz")
            let labels = stride(from: 1, to: popup.actions.count, by: 2).map { popup.actions[$0] }
            #expect(labels.sorted() == ["Als gelesen markieren", "Antworten", "Öffnen"])
            #expect(try await home.daemon.ctl("status").output.contains("connected by stream"))
            #expect(try await home.daemon.ctl("show", conversation).output.contains("just now"))
            #expect(home.daemon.journal.contains(" ready"))
        }
    }

    @Test func `A question is shown in Arabic, and programs get it in English`() async throws {
        try await Household.with({
            $0.environment = locales.environment(of: "ar")
            $0.asksQuestions = true
        }) { home in
            try await eventually("the question") { try !home.popups.questions.isEmpty }
            let question = try home.popups.questions[0]
            #expect(question.summary == "أتعرض هنا الردود على ملاحظاتك؟")
            #expect(question.actions.contains("إبقاء") && question.actions.contains("إيقاف"))
            let told = try await home.daemon.ctl("questions").output
            #expect(told.contains("Show replies to your feedback here?") && told.contains("refuse: Turn Off"))
        }
    }

    @Test func `Arabic plural forms match the count`() async throws {
        try await Household.with({
            $0.environment = locales.environment(of: "ar")
            $0.hasNotificationServer = false
        }) { home in
            var replies = try await ConversationActions(of: 2, in: home)
            try await replies.send(3)
            try await home.daemon.badge(3)
            try await home.showNotifications()
            let summary = try await home.popups.notifications(atLeast: 1)[0]
            #expect(summary.summary == "3 ردود غير مقروءة")
            #expect(summary.body.hasPrefix("في محادثتين:\n"))
        }
    }

    @Test func `A service that runs before its session follows the language of each session`() async throws {
        let session = try SessionManager()
        let environment = locales.environment(of: "de").merging([
            "LC_ALL": "", "PATH": session.programs + ":/usr/bin:/bin",
        ]) { $1 }
        try await Household.with({
            $0.environment = environment
            $0.hasNotificationServer = false
            $0.isConnected = false
        }) { home in
            try session.listen(in: home.daemon.directory.file("run"))
            let daemon = try session.startDaemon(of: home)
            try await eventually("a daemon that answers") { (try? await home.daemon.status()) != nil }
            try await home.daemon.connected()
            let conversation = try await home.daemon.converse("Crash")
            try session.begin(["LANG": locales.name(of: "ja")])
            try await home.showNotifications()
            try await home.sandbox.reply("Hello", in: conversation)
            let popup = try await home.popups.notifications(atLeast: 1)[0]
            #expect(popup.actions.contains("返信"))
            // The user logs out and in again, with another language and another bus.
            #expect(try await home.daemon.ctl("read", conversation).code == 0)
            try await home.loseBus()
            try session.begin(["LANG": locales.name(of: "ar")])
            try await home.restoreBus()
            try await home.showNotifications()
            try await home.sandbox.reply("Hello again", in: conversation)
            try await eventually("a pop-up in the new language", within: .seconds(30)) {
                try home.popups.notifications.last?.actions.contains("رد") == true
            }
            daemon.signal(SIGTERM)
            #expect(try await daemon.exit() == 0)
        }
    }
}
