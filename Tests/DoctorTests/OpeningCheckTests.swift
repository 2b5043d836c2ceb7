import Platform
import Testing

@testable import Doctor

struct OpeningCheckTests {
    private let ours = LinkHandler(id: "io.cutied.Cutied.desktop", name: "Cuti-E")

    private func facts(
        _ trialStart: Launcher.TrialStart = .outlived(environment: ["WAYLAND_DISPLAY": "w"]),
        opener: [String]? = nil, program: String? = "/usr/bin/xdg-open", handler: LinkHandler? = nil,
        window: String? = nil
    ) -> OpeningFacts {
        OpeningFacts(
            hasDisplay: true, trialStart: trialStart, opener: opener, program: program, handler: handler,
            window: window)
    }

    @Test(arguments: [
        (Launcher.TrialStart.outlived(environment: ["DISPLAY": ":0"]), Check.Verdict.ok),
        (.outlived(environment: ["DISPLAY": ""]), .warning), (.ended, .failure),
        (.failed("it ended with code 1"), .failure),
    ])
    func `What became of a start is told`(trialStart: Launcher.TrialStart, verdict: Check.Verdict) {
        let checks = facts(trialStart).checks
        #expect(checks["openers"]?.verdict == verdict)
        #expect((checks["openers"]?.advice == nil) == (verdict == .ok))
    }

    @Test func `Without a display nothing is opened`() {
        let checks = OpeningFacts(hasDisplay: false).checks
        #expect(checks.map(\.verdict) == [.skipped, .skipped])
    }

    @Test func `Who answers links is told, and what cutied shows them in`() {
        #expect(
            facts(handler: ours, window: "konsole").checks["links"]
                == Check(
                    "links", .ok, "Cuti-E (io.cutied.Cutied.desktop) answers cutie:// links, in konsole"))
        let other = LinkHandler(id: "feedback.desktop", name: "Feedback")
        #expect(
            facts(handler: other).checks["links"]?.finding.hasPrefix("Feedback (feedback.desktop)") == true)
        #expect(facts(opener: ["firefox", "-P"], program: "/bin/firefox").checks["links"]?.verdict == .ok)
    }

    @Test func `A click that would end in nothing fails`() {
        #expect(facts(program: nil, handler: ours).checks["links"]?.advice?.contains("xdg-utils") == true)
        #expect(facts(opener: ["gone"], program: nil).checks["links"]?.finding.hasPrefix("gone ") == true)
        for broken in [
            facts(), facts(handler: ours), facts(program: nil), facts(opener: ["x"], program: nil),
        ] {
            #expect(broken.checks["links"]?.verdict == .failure)
        }
        #expect(facts(.ended, handler: ours, window: "kgx").checks["links"]?.verdict == .skipped)
    }
}
