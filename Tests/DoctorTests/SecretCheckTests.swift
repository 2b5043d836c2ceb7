import ControlAPI
import Reasons
import Testing

@testable import Doctor

struct SecretCheckTests {
    @Test(arguments: [
        ("secret-service", 0, nil as Reason.Code?, Check.Verdict.ok, "in the secret service"),
        ("secret-service", 2, nil, .ok, "in the secret service; 2 still in the file"),
        (
            "secret-service", 2, .keyringMissing, .warning,
            "in the secret service; 2 still in the file: no secret service answers"
        ),
        ("sealed-file", 0, nil, .ok, "in /s, encrypted with the systemd credential"),
        (
            "plain-file", 0, .keyringMissing, .ok,
            "in /s, unencrypted, readable only by you: no secret service answers"
        ),
        (
            "plain-file", 2, .keyringStillLocked, .ok,
            "in /s, unencrypted, readable only by you; 2 still in the secret service: the keyring is locked"
        ),
    ])
    func `The secrets check reports where secrets are stored and where they will be moved`(
        place: String, waiting: Int, problem: Reason.Code?, verdict: Check.Verdict, finding: String
    ) {
        let facts = GetSecretPlace.Reply(
            place: place, path: "/s", waiting: waiting, problemReason: problem.map { ReasonView(Reason($0)) })
        let check = SecretFacts.reported(facts).check
        #expect(check.verdict == verdict)
        #expect(check.finding == finding)
        #expect((check.advice == nil) == (verdict == .ok))
    }

    @Test func `If the secrets file has a problem, the problem is reported instead of the file's location`() {
        let facts = GetSecretPlace.Reply(
            place: "plain-file", path: "/s", waiting: 0,
            noteReasons: [ReasonView(Reason(.secretsOfNewerVersion, ["path": "/s"]))])
        #expect(
            SecretFacts.reported(facts).check
                == Check(
                    "secrets", .warning, "/s is from a newer version of cutied",
                    advice: "update cutied, or move the file to another place"))
    }
}
