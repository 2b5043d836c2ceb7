import Testing

@testable import Doctor

struct UnitCheckTests {
    @Test(arguments: [
        (
            UnitFacts.ProgramOutput.printed("enabled"), UnitFacts.ProgramOutput.printed("active"),
            Check.Verdict.ok, nil
        ),
        (.printed("enabled"), .printed("inactive"), .warning, "systemctl --user start cutied"),
        (.printed("enabled"), .printed("failed"), .failure, "journalctl"),
        (.printed("disabled"), .printed("active"), .warning, "systemctl --user enable --now cutied"),
        (.printed("masked"), .printed("inactive"), .warning, "unmask"),
        (.printed("not-found"), .printed("inactive"), .warning, "install"),
        (.printed("enabled"), .noManager("no bus"), .skipped, nil),
        (.noManager("no bus"), .noManager("no bus"), .skipped, nil),
        (.noProgram, .noProgram, .skipped, nil),
    ])
    func `The result of the unit check depends on whether the systemd unit is enabled and active`(
        enabled: UnitFacts.ProgramOutput, active: UnitFacts.ProgramOutput, verdict: Check.Verdict,
        advice: String?
    ) {
        let check = UnitFacts.sample(enabled, active).checks["unit"]
        #expect(check?.verdict == verdict)
        #expect(advice == nil ? check?.advice == nil : check?.advice?.contains(advice ?? "") == true)
    }

    private static let lingering: [(Bool, Bool?, Check.Verdict)] = [
        (true, false, .skipped), (false, true, .ok), (false, false, .warning), (false, nil, .skipped),
    ]

    @Test(arguments: lingering)
    func `Without a display, lingering is recommended`(
        hasDisplay: Bool, lingers: Bool?, verdict: Check.Verdict
    ) {
        let check = UnitFacts.sample(hasDisplay: hasDisplay, lingers: lingers).checks["linger"]
        #expect(check?.verdict == verdict)
        #expect((check?.advice == "run: loginctl enable-linger") == (verdict == .warning))
    }

    private static let tiers: [(Bool?, Bool?, Check.Verdict, Bool)] = [
        (true, true, .ok, false), (true, false, .ok, true), (false, true, .failure, true),
        (false, false, .ok, false), (nil, false, .skipped, false), (true, nil, .skipped, false),
    ]

    @Test(arguments: tiers)
    func `The hardened configuration is recommended if namespaces can be created`(
        namespacesWork: Bool?, isHardened: Bool?, verdict: Check.Verdict, hasAdvice: Bool
    ) {
        let facts = UnitFacts.sample(namespacesWork: namespacesWork, isHardened: isHardened)
        let check = facts.checks["hardening"]
        #expect(check?.verdict == verdict)
        #expect((check?.advice != nil) == hasAdvice)
    }

    @Test func `The recommendation to enable the hardened configuration contains the command`() {
        let file = "/usr/share/cutied/cutied.service.d/hardening.conf"
        let check = UnitFacts.sample(dropIn: file).checks["hardening"]
        #expect(check?.advice?.contains(" && cp \(file) ~/.config/systemd/user/cutied.service.d && ") == true)
    }

    private static let removals: [(String?, String)] = [
        (nil, "run: rm ~/.config/systemd/user/cutied.service.d/hardening.conf && "),
        ("/home/a/units/hardening.conf", "run: rm /home/a/units/hardening.conf && "),
        ("/etc/systemd/user/a/hardening.conf", "run: sudo rm /etc/systemd/user/a/hardening.conf && "),
    ]

    @Test(arguments: removals)
    func `If the hardened configuration fails, the check reports the exit code and the file to remove`(
        file: String?, removal: String
    ) {
        for (active, code) in [("failed", Int32(226)), ("activating", 217)] {
            let failure = UnitFacts.SandboxFailure(rawValue: code)
            let facts = UnitFacts.sample(
                .printed("enabled"), .printed(active), namespacesWork: false, isHardened: true,
                hardeningFile: file,
                sandboxFailure: failure)
            for check in [facts.checks["unit"], facts.checks["hardening"]] {
                #expect(check?.verdict == .failure)
                #expect(check?.finding.contains("(\(code)/") == true)
                #expect(
                    check?.advice
                        == removal + "systemctl --user daemon-reload && systemctl --user restart cutied")
            }
        }
    }

    @Test
    func
        `If namespaces work but the hardened configuration fails, the advice mentions that a path may be missing`()
    {
        let facts = UnitFacts.sample(
            .printed("enabled"), .printed("activating"), isHardened: true, sandboxFailure: .namespace)
        #expect(facts.checks["hardening"]?.verdict == .failure)
        #expect(facts.checks["hardening"]?.advice?.contains("a path that it binds may be missing") == true)
    }

    @Test func `A unit that cannot use user namespaces is reported even if doctor itself can use them`() {
        let facts = UnitFacts.sample(
            .printed("enabled"), .printed("activating"), namespacesWork: true, isHardened: true,
            sandboxFailure: .user)
        #expect(facts.checks["hardening"]?.finding.contains("needs user namespaces") == true)
    }

    @Test
    func `Removing the hardened configuration is not advised if another drop-in causes the failure`() {
        let facts = UnitFacts.sample(
            .printed("enabled"), .printed("failed"), isHardened: false, sandboxFailure: .capabilities)
        #expect(facts.checks["unit"]?.finding.contains("(218/CAPABILITIES)") == true)
        #expect(facts.checks["unit"]?.advice == "for the cause, run: journalctl --user -u cutied")
        #expect(facts.checks["hardening"]?.verdict == .ok)
    }

    @Test func `The sandbox properties in the output of systemctl are parsed`() {
        let output = """
            PrivateUsers=yes
            ExecMainCode=1
            ExecMainStatus=226
            DropInPaths=/home/a/.config/systemd/user/cutied.service.d/hardening.conf /etc/other.conf

            """
        let properties = UnitFacts.parseProperties(from: ProgramRun(ending: .exited(code: 0), output: output))
        #expect(UnitFacts.isHardened(accordingTo: properties) == true)
        #expect(UnitFacts.findSandboxFailure(in: properties) == .namespace)
        #expect(
            UnitFacts.findHardeningFile(in: properties)
                == "/home/a/.config/systemd/user/cutied.service.d/hardening.conf")
        let killed = properties.merging(["ExecMainCode": "2", "PrivateUsers": "no", "DropInPaths": ""]) { $1 }
        #expect(UnitFacts.isHardened(accordingTo: killed) == false)
        #expect(UnitFacts.findSandboxFailure(in: killed) == nil)
        #expect(UnitFacts.findHardeningFile(in: killed) == nil)
        let silent = UnitFacts.parseProperties(from: ProgramRun(ending: .exited(code: 1), output: "no bus\n"))
        #expect(UnitFacts.isHardened(accordingTo: silent) == nil)
    }

    @Test(arguments: [
        ("enabled\n", UnitFacts.ProgramOutput.printed("enabled")),
        (
            "Failed to get unit file state for cutied.service: No such file or directory\n",
            .printed("not-found")
        ),
        (
            "Failed to connect to bus: No medium found\n",
            .noManager("Failed to connect to bus: No medium found")
        ),
        ("", .noManager("")),
    ])
    func `The state of the unit is parsed from the output of systemctl`(
        output: String, word: UnitFacts.ProgramOutput
    ) {
        #expect(UnitFacts.parseOutput(from: ProgramRun(ending: .exited(code: 1), output: output)) == word)
    }

    @Test func `Lingering is reported as disabled for a user without a login session`() {
        let line = "Failed to get user: User ID 1000 is not logged in or lingering\n"
        #expect(UnitFacts.parseLingering(from: ProgramRun(ending: .exited(code: 1), output: line)) == false)
        #expect(UnitFacts.parseLingering(from: ProgramRun(ending: .exited(code: 0), output: "yes\n")) == true)
        #expect(
            UnitFacts.parseLingering(from: ProgramRun(ending: .exited(code: 1), output: "no bus\n")) == nil)
    }
}
