import Foundation
import TestSupport
import Testing

@Suite struct `Support staff sign in` {
    /// A sandbox with Kim in its team, and a daemon that does not know her yet.
    private func withKim(
        _ body: (DaemonFixture, SandboxFixture, _ password: String) async throws -> Void
    ) async throws {
        let (bus, sandbox) = (try await PrivateBus(), try await SandboxFixture())
        let adding = try ChildProcess(
            BuiltProduct.path(of: "cutie-sandbox"),
            [
                "admin", "add", "Kim", "kim@example.com", "--url", sandbox.url, "--client-id",
                "cutie_ci_tests", "--client-secret", "cutie_cs_tests",
            ])
        let password = try await adding.line(after: "password ")
        let daemon = try DaemonFixture(
            session: bus.environment,
            configuration: "kind: staff\napi_url: \(sandbox.url)\nsecrets: file\nquestions: false\n")
        try await daemon.start()
        try await body(daemon, sandbox, password)
        try await daemon.stop()
    }

    /// Signs in by a code, as Kim does in a browser.
    private func signIn(_ daemon: DaemonFixture, _ sandbox: SandboxFixture, _ password: String) async throws {
        let verb = try daemon.begin(["signin", "--method", "device"])
        let code = try await verb.line(after: "code   ").prefix { $0 != "," && $0 != " " }
        let browser = TestBrowser(sandbox.url)
        let consent = try await browser.signIn(
            "kim@example.com", password, to: "/device?user_code=\(code)")
        _ = try await browser.submit(consent, ["user_code": String(code), "decision": "allow"])
        #expect(try await verb.exit() == 0, "\(verb.standardError)")
        #expect(verb.standardOutput.contains("kim@example.com"))
    }

    @Test func `By a code on any device, and out again`() async throws {
        try await withKim { daemon, sandbox, password in
            let before = try await daemon.ctl("whoami")
            #expect(before.code == 77 && before.output.contains("cutied ctl signin"))
            try await signIn(daemon, sandbox, password)
            try await daemon.connected()
            #expect(try await daemon.ctl("whoami").code == 0)
            #expect(try await daemon.ctl("signout").code == 0)
            #expect(try await daemon.ctl("whoami").code == 77)
            #expect(!daemon.journal.contains("Bearer "), "no token is in the journal")
        }
    }

    @Test func `A sign-in survives a sudden death, as often as it comes`() async throws {
        try await withKim { daemon, sandbox, password in
            try await signIn(daemon, sandbox, password)
            for _ in 0..<3 {
                try await daemon.connected()
                try await daemon.die()
                try await daemon.start()
            }
            try await daemon.connected()
            #expect(try await daemon.ctl("whoami").code == 0)
        }
    }
}
