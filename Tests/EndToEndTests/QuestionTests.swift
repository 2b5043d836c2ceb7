import Foundation
import TestSupport
import Testing

@Suite struct `Questions to the user` {
    @Test func `The user is asked about notifications only on the first launch, and the answer is saved`()
        async throws
    {
        try await EndToEndFixture.with({ $0.asksQuestions = true }) { fixture in
            try await eventually("the question") { try !fixture.notificationServer.questions.isEmpty }
            let question = try fixture.notificationServer.questions[0]
            #expect(question.actions.contains("Turn Off"))
            #expect(question.hints["suppress-sound"] == "true")
            // The notification server may send the signals for the click and the closing in either order. The
            // click must work in both cases.
            try await eventually("Turn off took effect") {
                try await fixture.notificationServer.invoke("refuse", on: question.id)
                return try await !fixture.daemon.fetchStatus().notifications
            }
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await !fixture.daemon.fetchStatus().notifications)
            #expect(try fixture.notificationServer.questions.count == 1)
            #expect(try await fixture.daemon.questions().isEmpty)
        }
    }

    @Test func `A reply replaces an open question, which is shown at most once a day`() async throws {
        try await EndToEndFixture.with({ $0.asksQuestions = true }) { fixture in
            try await eventually("the question") { try !fixture.notificationServer.questions.isEmpty }
            let question = try fixture.notificationServer.questions[0]
            #expect(question.hints["urgency"] == "0" && question.hints["transient"] == "true")
            #expect(question.timeout == -1)
            let conversation = try await fixture.daemon.startConversation("Question")
            try await fixture.sandbox.reply("Answer", in: conversation)
            let reply = try await fixture.notificationServer.waitForNotifications(atLeast: 1)[0]
            #expect(try fixture.notificationServer.closeRequests == [question.id])
            #expect(reply.at > question.at)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.ctl("read", "--all").code == 0)
            let other = try await fixture.daemon.startConversation("Another")
            try await fixture.sandbox.reply("Answer", in: other)
            _ = try await fixture.notificationServer.waitForNotifications(atLeast: 2)
            #expect(try fixture.notificationServer.questions.count == 1)
            #expect(try await fixture.daemon.questions().map(\.kind) == ["permission"])
        }
    }

    @Test
    func `The daemon asks for consent after the first message, and reports the consent once per launch`()
        async throws
    {
        try await EndToEndFixture.with({ $0.configuration = "device_context: minimal\napp_version: '7'" }) {
            fixture in
            _ = try await fixture.daemon.startConversation("Question")
            try fixture.configure("device_context: minimal\napp_version: '7'", asksQuestions: true)
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            _ = try await fixture.daemon.startConversation("Another")
            try await eventually("the question") { try !fixture.notificationServer.questions.isEmpty }
            #expect(try await fixture.sandbox.fetchPings().isEmpty)
            try await eventually("Allow took effect") {
                try await fixture.notificationServer.invoke(
                    "allow", on: try fixture.notificationServer.questions[0].id)
                return try await fixture.daemon.ctl("consent").output.hasPrefix("activity is reported")
            }
            try await eventually("the activity ping is received") {
                try await fixture.sandbox.fetchPings().count == 1
            }
            let ping = try await fixture.sandbox.fetchPings()[0]
            #expect(ping.hashed_device_id.count == 64 && ping.consent)
            #expect(ping.app_version == "7" && ping.os_version == nil)
            try await fixture.daemon.ctl("reconnect")
            try await fixture.daemon.restart()
            try await eventually("the activity of the next launch") {
                try await fixture.sandbox.fetchPings().count == 2
            }
            #expect(try await fixture.daemon.ctl("consent", "off").code == 0)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.sandbox.fetchPings().count == 2)
            #expect(try fixture.notificationServer.questions.count == 1)
        }
    }

    @Test func `A link adds the conversations of another device only once, with the user's permission`()
        async throws
    {
        try await EndToEndFixture.with({ $0.asksQuestions = true }) { fixture in
            let host = try DaemonFixture(
                session: fixture.bus.environment,
                configuration: "app_id: app_sandbox\napi_url: \(fixture.sandbox.url)\nquestions: false\n")
            try await host.start()
            try await host.waitUntilConnected()
            let theirs = try await host.startConversation("From the host")
            let link = try await host.handOver()
            #expect(try await fixture.daemon.open(link).code == 0)
            let popup = try await fixture.question(about: "app")
            #expect(try await fixture.daemon.fetchStatus().accounts.count == 1)
            try await eventually("the account is there") {
                try await fixture.notificationServer.invoke("allow", on: popup.id)
                return try await fixture.daemon.fetchStatus()["sandbox"] != nil
            }
            try await fixture.daemon.waitUntilConnected()
            try await eventually("the inbox of the account") {
                try await fixture.daemon.fetchInbox().contains {
                    $0.conversationId == theirs && $0.account == "sandbox"
                }
            }
            #expect(try await fixture.daemon.open(link).code == 0)
            let again = try await fixture.daemon.questions()
            let run = try await fixture.daemon.ctl(
                "questions", "answer", again.last?.questionId ?? "", "allow")
            #expect(run.code == 65)
            try await fixture.daemon.restart()
            try await fixture.daemon.waitUntilConnected()
            #expect(try await fixture.daemon.fetchStatus()["sandbox"] != nil)
            #expect(try await fixture.daemon.ctl("app", "remove", "sandbox").code == 0)
            #expect(try await fixture.daemon.fetchStatus().accounts.map(\.name) == ["default"])
            let token = try #require(link.firstMatch(of: /token=([^&]+)/)).1
            #expect(!fixture.daemon.journal.contains(token) && !host.journal.contains(token))
            try await host.stop()
        }
    }

    /// Configurations in which no account receives messages.
    private static let feedless = [
        "questions: false\n",
        """
        kind: identity
        api_url: http://127.0.0.1:1
        secrets: file
        issuer: http://127.0.0.1:1
        questions: false

        """,
    ]

    @Test(arguments: feedless)
    func `A link is redeemed at the address in the link if no App ID is configured`(
        configuration: String
    ) async throws {
        try await EndToEndFixture.with { fixture in
            let theirs = try await fixture.daemon.startConversation("From the host")
            let link = try await fixture.daemon.handOver()
            #expect(link.contains("api_url="))
            let app = try DaemonFixture(session: [:], configuration: configuration)
            try await app.start()
            let before = try await app.fetchStatus().accounts.count
            for run in [
                try await app.ctl("new", "--category", "bug", "It crashes"),
                try await app.ctl("subscription"), try await app.ctl("link", "start"),
            ] {
                #expect(run.code == 78 && run.error.contains("open the link of an app"), "\(run.error)")
            }
            #expect(try await app.open(link).code == 0)
            let question = try #require(try await app.questions().last)
            #expect(question.kind == "app" && question.detail.contains("127.0.0.1"), "\(question.detail)")
            #expect(question.question.contains("Sandbox"), "\(question.question)")
            #expect(try await app.fetchStatus().accounts.count == before)
            let answer = try await app.ctl("questions", "answer", question.questionId, "allow")
            #expect(answer.code == 0, "\(answer.error)")
            try await eventually("the inbox") {
                try await app.fetchInbox().contains { $0.conversationId == theirs && $0.account == "sandbox" }
            }
            // An identity account has no conversations, so the new conversation can only belong to the app's
            // account.
            let new = try await app.ctl("new", "--category", "bug", "It crashes")
            #expect(new.code == 0, "\(new.error)")
            // The added account is stored in the database and must survive restarts and reloads.
            try await app.restart()
            #expect(try await app.ctl("reload").code == 0)
            #expect(try await app.fetchInbox().contains { $0.conversationId == theirs })
            try await app.stop()
        }
    }

    @Test func `The question about a link without an address names the hosted service if there is no App ID`()
        async throws
    {
        // The daemon requests the details of the link from the hosted service. The proxy setting makes this
        // request fail, so that the test does not contact the service.
        let app = try DaemonFixture(
            session: ["https_proxy": "http://127.0.0.1:1"], configuration: "questions: false\n")
        try await app.start()
        #expect(try await app.open("cutie://link?token=foreign").code == 0)
        let question = try #require(try await app.questions().last)
        #expect(question.detail.contains("api.cuti-e.com"), "\(question.detail)")
        #expect(try await app.open("cutie://link?token=t&api_url=http%3A%2F%2Fexample.org").code == 65)
        #expect(try await app.questions().count == 1)
        try await app.stop()
    }

    @Test(arguments: [
        ("200 OK", #"{"app_id":"app_maps","app_name":"Maps"}"#, "Maps"),
        ("200 OK", #"{"app_id":"app_maps"}"#, "app_maps"),
        ("200 OK", #"{"app_id":"app_maps","app_name":"Ma\u202Eps"}"#, "app_maps"),
        ("200 OK", "<html>", nil),
        ("404 Not Found", #"{"error":"no such route"}"#, nil),
        ("500 Internal Server Error", "", nil),
    ])
    func `The question about a link contains the name of the app if the API returns the name`(
        _ head: String, _ body: String, _ name: String?
    ) async throws {
        let server = try ScriptedAPI([
            (call: "POST /v1/feedback-app/preview", answer: ScriptedAPI.refusing(head, body: body))
        ])
        let app = try DaemonFixture(session: [:], configuration: "questions: false\n")
        try await app.start()
        let address = server.url.replacing(":", with: "%3A").replacing("/", with: "%2F")
        #expect(try await app.open("cutie://link?token=foreign&api_url=\(address)").code == 0)
        let question = try #require(try await app.questions().last)
        #expect(question.detail.contains("127.0.0.1"), "\(question.detail)")
        if let name {
            #expect(question.question.contains(name) && question.detail.contains(name), "\(question)")
        } else {
            #expect(question.question.contains("another app"), "\(question)")
        }
        #expect(server.requestCount(of: "POST /v1/feedback-app/redeem") == 0)
        try await app.stop()
    }

    @Test
    func `A link changes nothing if it is invalid, was created by this device, or is refused by the user`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            #expect(try await fixture.daemon.open("cutie://link?token=").code == 65)
            #expect(try await fixture.daemon.open("cutie://link/x?token=y").code == 65)
            let own = try await fixture.daemon.handOver()
            #expect(try await fixture.daemon.open(own).code == 65)
            #expect(try await fixture.daemon.questions().isEmpty)
            #expect(try await fixture.daemon.open("cutie://link?token=foreign").code == 0)
            let id = try #require(try await fixture.daemon.questions().first).questionId
            #expect(try await fixture.daemon.ctl("questions", "answer", id, "refuse").code == 0)
            #expect(try await fixture.daemon.ctl("questions", "answer", id, "allow").code == 66)
            #expect(try await fixture.daemon.fetchStatus().accounts.count == 1)
        }
    }

    @Test(arguments: [
        ("401 Unauthorized", #"{"error":"no such app"}"#, 77, "does not accept the App ID app_sandbox"),
        ("503 Service Unavailable", #"{"error":"in the workshop"}"#, 69, "the service reported an error: "),
        ("418 I'm a teapot", "", 69, "the service reported an error: "),
        ("200 OK", #"{"ticket":"x"}"#, 76, "sent an invalid response"),
        ("200 OK", "<html>", 76, "sent an invalid response"),
    ])
    func `The error message and the exit code of ctl app code depend on the response of the API`(
        _ head: String, _ body: String, _ code: Int32, _ words: String
    ) async throws {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let server = try RawServer { connection, _ in
                _ = connection.readRequest()
                connection.answer(head, ["Connection: close"], body: body)
            }
            try fixture.daemon.configure("app_id: app_sandbox\napi_url: \(server.url)\nquestions: false\n")
            try await fixture.daemon.start()
            let run = try await fixture.daemon.ctl("app", "code")
            #expect(run.code == code && run.output.isEmpty)
            #expect(run.error.contains(words), "\(run.error)")
        }
    }

    @Test
    func
        `The exit code of ctl app code depends on whether the API issues a token, refuses to, or is unreachable`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            try fixture.daemon.configure("app_id: app_wrong\napi_url: \(fixture.sandbox.url)\n")
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            #expect(try await fixture.daemon.ctl("app", "code").code == 77)
            try fixture.configure()
            #expect(try await fixture.daemon.ctl("reload").code == 0)
            #expect(try await fixture.daemon.ctl("app", "code").code == 0)
            try await fixture.sandbox.killProcess()
            #expect(try await fixture.daemon.ctl("app", "code").code == 69)
            #expect(try await fixture.daemon.ctl("app", "installed").code == 1)
        }
    }
}

private struct AskedRecord: Decodable, Sendable {
    struct Question: Decodable, Sendable {
        let questionId: String
        let kind: String
        let question: String
        let detail: String
    }

    let questions: [Question]
}

extension DaemonFixture {
    fileprivate func questions() async throws -> [AskedRecord.Question] {
        try await control.call("ListQuestions", as: AskedRecord.self).questions
    }

    /// Returns the link that `app code` prints.
    fileprivate func handOver() async throws -> String {
        struct Pass: Decodable, Sendable { let link: String }
        return try await control.call("HandOverApp", as: Pass.self).link
    }
}

extension EndToEndFixture {
    fileprivate func question(about kind: String) async throws -> RecordingNotificationServer.Notification {
        func found() throws -> RecordingNotificationServer.Notification? {
            try notificationServer.questions.last {
                $0.hints["x-dunst-stack-tag"] == "cutied-question-" + kind
            }
        }
        try await eventually("a question about \(kind)") { try found() != nil }
        return try #require(try found())
    }
}
