import Testing

@testable import Doctor

struct LockCheckTests {
    @Test(arguments: [
        (
            LockFacts(session: nil, isLocked: nil, desktops: ["GNOME"]), Check.Verdict.skipped,
            "no graphical session"
        ),
        (
            LockFacts(session: "2", isLocked: nil, desktops: ["GNOME"]), .warning,
            "loginctl does not report session 2"
        ),
        (LockFacts(session: "2", isLocked: true, desktops: ["sway"]), .ok, "session 2 is locked"),
        (LockFacts(session: "2", isLocked: false, desktops: ["ubuntu", "GNOME"]), .ok, "GNOME reports when"),
        (LockFacts(session: "2", isLocked: false, desktops: ["KDE"]), .ok, "Plasma reports when"),
        (
            LockFacts(session: "2", isLocked: false, desktops: ["sway"]), .skipped,
            "unknown: session 2 seems unlocked"
        ),
        (LockFacts(session: "2", isLocked: false, desktops: []), .skipped, "not every screen locker reports"),
    ])
    func `The screen lock check reports whether the desktop provides the lock state`(
        facts: LockFacts, verdict: Check.Verdict, finding: String
    ) {
        #expect(facts.check.verdict == verdict)
        #expect(facts.check.finding.contains(finding), "\(facts.check.finding)")
    }
}
