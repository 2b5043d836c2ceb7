import ControlAPI
import Testing

@testable import InboxModel

/// Tests how a question describes the app that sent the request.
struct AppVerificationTests {
    private func question(_ app: String?, _ verified: Bool?) -> QuestionView {
        QuestionView(
            questionId: "1", kind: "host-app", question: "Notes wants to", detail: "", allow: "Allow",
            refuse: "Not Now", askedAt: 0, app: app, verified: verified)
    }

    @Test func `The system name of a verified app is shown on one line`() throws {
        let appVerification = try #require(question("org.example.\nNotes", true).appVerification)
        #expect(appVerification.isVerified)
        #expect(appVerification.sentence.hasPrefix("Verified by your system as "))
        #expect(!appVerification.sentence.contains("\n"))
        #expect(appVerification.sentence.contains("Notes"))
    }

    @Test(arguments: [false, nil] as [Bool?])
    func `An unverified app is shown with a warning`(verified: Bool?) throws {
        let appVerification = try #require(question("python3", verified).appVerification)
        #expect(!appVerification.isVerified)
        #expect(appVerification.sentence.hasPrefix("Not verified: "))
    }

    @Test func `A question that is not from an app shows no verification status`() {
        #expect(question(nil, true).appVerification == nil)
    }

    @Test func `Translating a question does not change whether the app is shown as verified`() {
        #expect(
            question("python3", false).translated.appVerification
                == question("python3", false).appVerification)
    }
}
