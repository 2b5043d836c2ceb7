import Foundation
import TestSupport
import Testing

/// Tests that the window no longer shows a question that was answered in another program.
@Suite struct `Questions that are answered elsewhere` {
    /// The part of the window that shows the question.
    enum Place: Sendable, CaseIterable {
        /// The dialog about a link that the user clicked.
        case dialog
        /// The page "Feedback from Other Apps", on which the user typed the link.
        case page
        /// Only the banner: the link was opened by another program.
        case banner
    }

    private static let link = "cutie://link?token=foreign"
    private static let question = "Add another app’s conversations?"

    @Test(.timeLimit(.minutes(10)), arguments: Place.allCases, ["allow", "refuse"])
    func `A question that was answered elsewhere disappears from the window`(place: Place, answer: String)
        async throws
    {
        try await withInboxWindow { fixture, user, _ in
            let page = "Feedback from Other Apps"
            switch place {
            case .dialog: #expect(try await fixture.startWindow([Self.link], user).waitForExit() == 0)
            case .page:
                try await user.openPage(page)
                try await user.enterText(Self.link, into: .field("App Link"))
                try await user.pressKeys("ctrl+Return", in: page)
                try await user.waitFor(.button("Allow", in: page))
            case .banner: #expect(try await fixture.daemon.open(Self.link).code == 0)
            }
            try await user.waitFor(.button("Allow", in: "Cuti-E"))
            try await eventually("the question in the banner and the \(place)") {
                try await user.count(.anything(Self.question)) > (place == .banner ? 0 : 1)
            }
            try await fixture.saveScreenshot(of: user, "question-\(place)-\(answer)")
            let id = try #require(
                try await fixture.daemon.ctl("questions", "--json").output.firstMatch(
                    of: /"questionId":"(\d+)"/))
            // The token is not valid, so allowing the app fails, but answers the question.
            let code = try await fixture.daemon.ctl("questions", "answer", String(id.1), answer).code
            #expect(code == (answer == "allow" ? 65 : 0))
            try await user.waitForAbsence(.anything(Self.question))
            try await user.waitForAbsence(.button("Allow"))
            try await fixture.saveScreenshot(of: user, "question-\(place)-\(answer)-answered")
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `A later question about the same link is shown`() async throws {
        try await withInboxWindow { fixture, user, _ in
            for _ in 0..<2 {
                #expect(try await fixture.startWindow([Self.link], user).waitForExit() == 0)
                try await user.waitFor(.button("Allow", in: "Cuti-E"))
                try await eventually("the question in the banner and the dialog") {
                    try await user.count(.anything(Self.question)) > 1
                }
                let id = try #require(
                    try await fixture.daemon.ctl("questions", "--json").output.firstMatch(
                        of: /"questionId":"(\d+)"/))
                #expect(try await fixture.daemon.ctl("questions", "answer", String(id.1), "refuse").code == 0)
                try await user.waitForAbsence(.anything(Self.question))
            }
        }
    }
}
