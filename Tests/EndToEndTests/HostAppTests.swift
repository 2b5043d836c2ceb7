import Foundation
import TestSupport
import Testing

/// Tests that run the examples for app developers with the real daemon.
@Suite(.enabled(if: varlinkPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"))
struct `An app that contacts its developer` {
    @Test(arguments: DeveloperExample.allCases)
    func `After the user has allowed the app, the app receives the reply`(example: DeveloperExample)
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let arguments = [fixture.sandbox.appID, "Where is the export?", fixture.sandbox.url]
            let app = try example.start(arguments, environment: fixture.daemon.environment)
            try await fixture.daemon.answerApp("allow")
            try await eventually("the message reaches the API; \(app.standardError)") {
                try await !fixture.sandbox.fetchThreads().isEmpty || !app.isRunning
            }
            let thread = try #require(try await fixture.sandbox.fetchThreads().first, "\(app.standardError)")
            #expect(
                try await fixture.sandbox.fetchTexts(in: thread.conversation_id) == ["Where is the export?"])
            try await fixture.sandbox.reply("In the menu.", in: thread.conversation_id)
            #expect(try await app.waitForExit() == 0, "\(app.standardError)")
            #expect(app.lines.first == "sent")
            #expect(app.lines.last?.hasSuffix(": In the menu.") == true, "\(app.lines)")
        }
    }

    @Test(arguments: DeveloperExample.allCases)
    func `After a refusal by the user, the app cannot send its message`(example: DeveloperExample)
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let arguments = [fixture.sandbox.appID, "Where is the export?", fixture.sandbox.url]
            let app = try example.start(arguments, environment: fixture.daemon.environment)
            try await fixture.daemon.answerApp("refuse")
            _ = try await app.waitForExit()
            #expect(!app.lines.contains("sent"))
            #expect(try await fixture.sandbox.fetchThreads().isEmpty)
        }
    }
}

extension DaemonFixture {
    /// Waits for the question about an app and answers it.
    func answerApp(_ answer: String, kind: String = "host-app") async throws {
        struct ServiceAccessRequest: Decodable, Sendable {
            struct Question: Decodable, Sendable {
                let questionId: String
                let kind: String
            }
            let questions: [Question]
        }
        var id: String?
        try await eventually("the app asks; \(journal.suffix(2000))") {
            let questions = try await control.call("ListQuestions", as: ServiceAccessRequest.self).questions
            id = questions.first { $0.kind == kind }?.questionId
            return id != nil
        }
        let run = try await ctl("questions", "answer", id ?? "", answer)
        #expect(run.code == 0, "\(run.error)")
    }
}
