import ControlAPI
import Testing

@testable import Doctor

struct SignInCheckTests {
    private func facts(
        _ metadata: SignInFacts.Metadata, _ auth: Authentication? = nil, isNamed: Bool = false
    ) -> SignInFacts {
        SignInFacts(
            account: "work", issuer: "https://id.example", isNamed: isNamed, metadata: metadata,
            session: auth.map {
                SessionView(
                    account: "work", auth: $0, reason: $0 == .authenticated ? nil : "the issuer ended it",
                    name: "Kim", issuer: "https://id.example", scopes: [])
            })
    }

    @Test func `The sign-in check reports the signed-in user`() {
        let check = facts(.found, .authenticated).check
        #expect(check.name == "sign-in work" && check.verdict == .ok)
        #expect(check.finding == "Kim is signed in at https://id.example")
    }

    @Test func `If no user is signed in, the sign-in check reports the reason and the command to sign in`() {
        let check = facts(.absent, .unauthenticated).check
        #expect(check.verdict == .warning && check.finding == "the issuer ended it")
        #expect(check.advice == "run: cutied ctl signin --account work")
    }

    @Test func `An unusable issuer makes the sign-in check fail even if a user is signed in`() {
        let away = facts(.failed("nobody answers"), .authenticated).check
        #expect(away.verdict == .failure && away.finding.contains("nobody answers"))
        // A configured issuer must publish metadata, but Cuti-E's default issuer need not.
        let silent = facts(.absent, .authenticated, isNamed: true).check
        #expect(silent.verdict == .failure && silent.advice == "correct `issuer` of work")
        #expect(facts(.found).check.verdict == .skipped)
    }
}
