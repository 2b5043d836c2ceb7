import Foundation
import TestSupport
import Testing

/// The staff account of the support agent Kim.
struct Kim: Sendable {
    let email = "kim@example.com"
    let password: String

    init(at sandbox: SandboxFixture) async throws {
        let adding = try ChildProcess(
            BuiltProduct.path(of: "cutie-sandbox"),
            [
                "admin", "add", "Kim", email, "--url", sandbox.url, "--client-id", "cutie_ci_tests",
                "--client-secret", "cutie_cs_tests",
            ])
        password = try await adding.waitForLine(after: "password ")
    }

    /// Approves a device code as Kim, in a simulated browser.
    func allow(_ code: String, at sandbox: SandboxFixture) async throws {
        let browser = TestBrowser(sandbox.url)
        let consent = try await browser.signIn(email, password, to: "/device?user_code=\(code)")
        _ = try await browser.submit(consent, ["user_code": code, "decision": "allow"])
    }

    /// Signs in with `cutied ctl signin`.
    func signIn(_ fixture: EndToEndFixture) async throws {
        let verb = try fixture.daemon.startVerb(["signin", "--account", "work", "--method", "device"])
        let code = try await verb.waitForLine(after: "code   ").prefix { $0 != "," && $0 != " " }
        try await allow(String(code), at: fixture.sandbox)
        #expect(try await verb.waitForExit() == 0, "\(verb.standardError)")
    }
}

/// Runs `body` in the same way as `withInboxWindow`, but with two accounts: a user writes in `shop`, and
/// Kim replies in `work`.
func withStaffWindow(
    isSignedIn: Bool = true, _ body: (EndToEndFixture, DesktopUser, SpawnedProgram, Kim) async throws -> Void
) async throws {
    let accounts = { (fixture: EndToEndFixture) in
        """
        accounts:
          shop: {app_id: app_sandbox, api_url: "\(fixture.sandbox.url)", user_name: Ada}
          work: {kind: staff, api_url: "\(fixture.sandbox.url)"}
        secrets: file
        OPENER

        """
    }
    try await withInboxWindow(configuration: accounts, isConnected: false) { fixture, user, window in
        let kim = try await Kim(at: fixture.sandbox)
        if isSignedIn { try await kim.signIn(fixture) }
        try await body(fixture, user, window, kim)
    }
}
