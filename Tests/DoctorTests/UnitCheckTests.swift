import Testing

@testable import Doctor

struct UnitCheckTests {
    @Test(arguments: [
        (UnitFacts.Word.said("enabled"), UnitFacts.Word.said("active"), Check.Verdict.ok, nil),
        (.said("enabled"), .said("inactive"), .warning, "systemctl --user start cutied"),
        (.said("enabled"), .said("failed"), .failure, "journalctl"),
        (.said("disabled"), .said("active"), .warning, "systemctl --user enable --now cutied"),
        (.said("masked"), .said("inactive"), .warning, "unmask"),
        (.said("not-found"), .said("inactive"), .warning, "install"),
        (.said("enabled"), .nobody("no bus"), .skipped, nil),
        (.nobody("no bus"), .nobody("no bus"), .skipped, nil),
        (.noProgram, .noProgram, .skipped, nil),
    ])
    func `The unit is judged`(
        enabled: UnitFacts.Word, active: UnitFacts.Word, verdict: Check.Verdict, advice: String?
    ) {
        let check = UnitFacts.sample(enabled, active).checks["unit"]
        #expect(check?.verdict == verdict)
        #expect(advice == nil ? check?.advice == nil : check?.advice?.contains(advice ?? "") == true)
    }

    private static let lingering: [(Bool, Bool?, Check.Verdict)] = [
        (true, false, .skipped), (false, true, .ok), (false, false, .warning), (false, nil, .skipped),
    ]

    @Test(arguments: lingering)
    func `Lingering matters without a display`(hasDisplay: Bool, lingers: Bool?, verdict: Check.Verdict) {
        let check = UnitFacts.sample(hasDisplay: hasDisplay, lingers: lingers).checks["linger"]
        #expect(check?.verdict == verdict)
        #expect((check?.advice == "type: loginctl enable-linger") == (verdict == .warning))
    }

    private static let tiers: [(Bool?, Bool?, Check.Verdict, Bool)] = [
        (true, true, .ok, false), (true, false, .ok, true), (false, true, .failure, true),
        (false, false, .ok, false), (nil, false, .skipped, false), (true, nil, .skipped, false),
    ]

    @Test(arguments: tiers)
    func `The stricter tier is advised where namespaces work`(
        namespacesWork: Bool?, isHardened: Bool?, verdict: Check.Verdict, hasAdvice: Bool
    ) {
        let facts = UnitFacts.sample(namespacesWork: namespacesWork, isHardened: isHardened)
        let check = facts.checks["hardening"]
        #expect(check?.verdict == verdict)
        #expect((check?.advice != nil) == hasAdvice)
    }

    @Test func `The stricter tier is advised with what to type`() {
        let file = "/usr/share/cutied/cutied.service.d/hardening.conf"
        let check = UnitFacts.sample(dropIn: file).checks["hardening"]
        #expect(check?.advice?.contains(" && cp \(file) ~/.config/systemd/user/cutied.service.d && ") == true)
    }

    @Test(arguments: [
        ("enabled\n", UnitFacts.Word.said("enabled")),
        (
            "Failed to get unit file state for cutied.service: No such file or directory\n",
            .said("not-found")
        ),
        (
            "Failed to connect to bus: No medium found\n",
            .nobody("Failed to connect to bus: No medium found")
        ),
        ("", .nobody("")),
    ])
    func `What systemctl says is read`(output: String, word: UnitFacts.Word) {
        #expect(UnitFacts.word(of: ProgramRun(ending: .exited(code: 1), output: output)) == word)
    }

    @Test func `A user without a session does not linger`() {
        let line = "Failed to get user: User ID 1000 is not logged in or lingering\n"
        #expect(UnitFacts.lingers(ProgramRun(ending: .exited(code: 1), output: line)) == false)
        #expect(UnitFacts.lingers(ProgramRun(ending: .exited(code: 0), output: "yes\n")) == true)
        #expect(UnitFacts.lingers(ProgramRun(ending: .exited(code: 1), output: "no bus\n")) == nil)
    }
}
