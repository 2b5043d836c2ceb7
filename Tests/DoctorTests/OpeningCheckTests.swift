import Platform
import Testing

@testable import Doctor

struct OpeningCheckTests {
    private let ours = LinkHandler(id: "io.cutied.Cutied.desktop", name: "Cuti-E")

    private func facts(
        _ trialStart: Launcher.DetachedStartResult = .outlived(environment: ["WAYLAND_DISPLAY": "w"]),
        opener: [String]? = nil, program: String? = "/usr/bin/xdg-open", handler: LinkHandler? = nil,
        window: String? = nil, inbox: OpeningFacts.Inbox = .missing
    ) -> OpeningFacts {
        OpeningFacts(
            hasDisplay: true, trialStart: trialStart, opener: opener, program: program, handler: handler,
            window: window, inbox: inbox)
    }

    @Test(arguments: [
        (Launcher.DetachedStartResult.outlived(environment: ["DISPLAY": ":0"]), Check.Verdict.ok),
        (.outlived(environment: ["DISPLAY": ""]), .warning), (.ended, .failure),
        (.failed("it ended with code 1"), .failure),
    ])
    func `The result of the opener check depends on whether a test launch of the opener succeeds`(
        trialStart: Launcher.DetachedStartResult, verdict: Check.Verdict
    ) {
        let checks = facts(trialStart).checks
        #expect(checks["openers"]?.verdict == verdict)
        #expect((checks["openers"]?.advice == nil) == (verdict == .ok))
    }

    @Test func `Without a display, the checks for opening links are skipped`() {
        let checks = OpeningFacts(hasDisplay: false).checks
        #expect(checks.map(\.verdict) == [.skipped, .skipped, .skipped])
    }

    @Test func `The links check reports the link handler and the program that shows the conversation`() {
        #expect(
            facts(handler: ours, window: "konsole").checks["links"]
                == Check(
                    "links", .ok, "Cuti-E (io.cutied.Cutied.desktop) opens cutie:// links, in konsole"))
        let other = LinkHandler(id: "feedback.desktop", name: "Feedback")
        #expect(
            facts(handler: other).checks["links"]?.finding.hasPrefix("Feedback (feedback.desktop)") == true)
        #expect(facts(opener: ["firefox", "-P"], program: "/bin/firefox").checks["links"]?.verdict == .ok)
    }

    @Test func `The window check fails on a startup error, and warns if the window has a different version`()
    {
        let shown = facts(program: nil, handler: ours, inbox: .version("0.2.0")).checks
        #expect(shown["window"]?.verdict == .ok)
        #expect(shown["links"]?.finding.hasSuffix("opens cutie:// links, in cutied-inbox") == true)
        #expect(facts(inbox: .version("0.1.0")).checks["window"]?.verdict == .warning)
        let broken = facts(handler: ours, window: "kgx", inbox: .broken("libadwaita-1.so.0 is missing"))
            .checks
        #expect(broken["window"]?.finding.hasSuffix("libadwaita-1.so.0 is missing") == true)
        #expect(broken["links"]?.finding.hasSuffix("in kgx") == true)
        #expect(facts().checks["window"]?.verdict == .skipped)
    }

    @Test func `The links check fails if no installed program can open a link`() {
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
