import ControlAPI
import Testing

@testable import InboxView

/// Tests what a question says about the app that asks.
struct QuestionStandingTests {
    private func question(_ app: String?, _ verified: Bool?) -> QuestionView {
        QuestionView(
            questionId: "1", kind: "host-app", question: "Notes wants to", detail: "", allow: "Allow",
            refuse: "Not now", askedAt: 0, app: app, verified: verified)
    }

    @Test func `A verified app is shown with its name from the system, on one line`() throws {
        let standing = try #require(question("org.example.\nNotes", true).standing)
        #expect(standing.isVerified)
        #expect(standing.sentence.hasPrefix("Verified: ") && !standing.sentence.contains("\n"))
        #expect(standing.sentence.contains("Notes"))
    }

    @Test(arguments: [false, nil] as [Bool?])
    func `An unverified app is shown with a warning`(verified: Bool?) throws {
        let standing = try #require(question("python3", verified).standing)
        #expect(!standing.isVerified)
        #expect(standing.sentence.hasPrefix("Not verified: "))
    }

    @Test func `A question that is not from an app has no verification`() {
        #expect(question(nil, true).standing == nil)
    }

    @Test func `The verification stays when the question is translated`() {
        #expect(question("python3", false).translated.standing == question("python3", false).standing)
    }
}
