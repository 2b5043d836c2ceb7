import Config
import Testing

@testable import Doctor

struct ConfigurationCheckTests {
    private func check(
        _ yaml: String, environment: [String: String] = [:], file: String? = "/c.yaml"
    ) -> Check {
        let outcome: ConfigurationFacts.Outcome
        do {
            outcome = .read(try Configuration(yaml: yaml, file: "/c.yaml", environment: environment))
        } catch {
            outcome = .invalid(error)
        }
        return ConfigurationFacts(file: file, ownFile: "/own.yaml", outcome: outcome).check
    }

    @Test func `A valid configuration is reported with its file and accounts`() {
        let yaml = "accounts:\n  a: {app_id: app_1}\n  b: {app_id: app_2}\n"
        #expect(check(yaml) == Check("config", .ok, "/c.yaml, accounts a, b"))
    }

    @Test func `A configuration may consist only of environment variables`() {
        let check = check("", environment: ["CUTIED_APP_ID": "app_1"], file: nil)
        #expect(check == Check("config", .ok, "the environment, account default"))
    }

    @Test func `An invalid configuration is reported with file, line and key`() {
        let check = check("app_id: app_1\nhistry: 3\n")
        #expect(check.verdict == .failure)
        #expect(check.finding.hasPrefix("/c.yaml:2: histry: "))
        #expect(check.advice == "did you mean history?")
    }

    @Test(arguments: [("/c.yaml", "/c.yaml contains no App ID"), (nil, "there is no /own.yaml")])
    func `Doctor suggests running setup if no App ID is configured`(file: String?, finding: String) {
        let check = check("", file: file)
        #expect(check.verdict == .failure)
        #expect(check.finding.hasPrefix(finding))
        #expect(check.advice?.contains("cutied setup") == true)
    }

    @Test
    func `If the running daemon has no account, no failure is reported and the advice mentions app links`()
        throws
    {
        let facts = ConfigurationFacts(
            file: nil, ownFile: "/own.yaml", outcome: .read(try Configuration(yaml: "", file: "/own.yaml")))
        let running = facts.makeCheck(comparingWith: .answers(.sample()))
        #expect(running.verdict == .skipped && running.finding.hasPrefix("no account is set up"))
        #expect(running.advice?.hasPrefix("open the link of an app") == true)
        #expect(facts.makeCheck(comparingWith: .absent(path: "/x")).verdict == .failure)
    }

    @Test func `The configuration check fails if the configuration file is unreadable`() {
        let facts = ConfigurationFacts(file: "/c.yaml", ownFile: "/c.yaml", outcome: .unreadable("denied"))
        #expect(facts.check.verdict == .failure)
    }

    @Test func `Doctor exits with 78 only if the configuration is invalid`() {
        let config = Check("config", .failure, ""), other = Check("clock", .failure, "")
        #expect(DoctorReport([config, other]).exitCode == 78)
        #expect(DoctorReport([other]).exitCode == 1)
        #expect(DoctorReport([Check("unit", .warning, ""), Check("tls", .skipped, "")]).exitCode == 0)
    }
}
