import Foundation
import TestSupport
import Testing

@Suite struct `Signing in support staff` {
    /// Creates a sandbox with a staff account for Kim, and a daemon in which Kim is not signed in.
    private func withKim(
        tokenLifetime: Int? = nil,
        _ body: (DaemonFixture, SandboxFixture, _ password: String) async throws -> Void
    ) async throws {
        let bus = try await PrivateBus()
        let sandbox = try await SandboxFixture(tokenLifetime: tokenLifetime)
        let adding = try ChildProcess(
            BuiltProduct.path(of: "cutie-sandbox"),
            [
                "admin", "add", "Kim", "kim@example.com", "--url", sandbox.url, "--client-id",
                "cutie_ci_tests", "--client-secret", "cutie_cs_tests",
            ])
        let password = try await adding.waitForLine(after: "password ")
        let daemon = try DaemonFixture(
            session: bus.environment,
            configuration: "kind: staff\napi_url: \(sandbox.url)\nsecrets: file\nquestions: false\n")
        try await daemon.start()
        try await body(daemon, sandbox, password)
        try await daemon.stop()
    }

    /// Signs Kim in with a device code, which Kim approves in a simulated browser.
    private func signIn(_ daemon: DaemonFixture, _ sandbox: SandboxFixture, _ password: String) async throws {
        let verb = try daemon.startVerb(["signin", "--method", "device"])
        let code = try await verb.waitForLine(after: "code   ").prefix { $0 != "," && $0 != " " }
        let browser = TestBrowser(sandbox.url)
        let consent = try await browser.signIn(
            "kim@example.com", password, to: "/device?user_code=\(code)")
        _ = try await browser.submit(consent, ["user_code": String(code), "decision": "allow"])
        #expect(try await verb.waitForExit() == 0, "\(verb.standardError)")
        #expect(verb.standardOutput.contains("kim@example.com"))
    }

    @Test func `A staff account can sign in with a device code and sign out`() async throws {
        try await withKim { daemon, sandbox, password in
            let before = try await daemon.ctl("whoami")
            #expect(before.code == 77 && before.output.contains("cutied ctl signin"))
            try await signIn(daemon, sandbox, password)
            try await daemon.waitUntilConnected()
            #expect(try await daemon.ctl("whoami").code == 0)
            #expect(try await daemon.ctl("signout").code == 0)
            #expect(try await daemon.ctl("whoami").code == 77)
            #expect(!daemon.journal.contains("Bearer "), "no token is in the journal")
        }
    }

    @Test func `A sign-in survives repeated crashes`() async throws {
        try await withKim { daemon, sandbox, password in
            try await signIn(daemon, sandbox, password)
            for _ in 0..<3 {
                try await daemon.waitUntilConnected()
                try await daemon.killProcess()
                try await daemon.start()
            }
            try await daemon.waitUntilConnected()
            #expect(try await daemon.ctl("whoami").code == 0)
        }
    }

    enum Step: CaseIterable {
        /// A kill before the issuer reads the request.
        case asked
        /// A kill before the daemon receives the response.
        case answered
        /// A kill after the daemon has stored the new refresh token.
        case kept
        case used
    }

    @Test(arguments: Step.allCases)
    func `The session stays valid after a crash at any step of a token refresh`(_ step: Step) async throws {
        try await withKim(tokenLifetime: 4) { daemon, sandbox, password in
            try await signIn(daemon, sandbox, password)
            try await daemon.waitUntilConnected()
            try await waitForTokenExpiry(daemon)
            try await killDaemon(at: step, daemon, sandbox)
            try await daemon.start()
            try await daemon.waitUntilConnected()
            try await waitForTokenExpiry(daemon)
            #expect(try await daemon.ctl("tags").code == 0)
            #expect(try await daemon.ctl("whoami").code == 0)
        }
    }

    private func waitForTokenExpiry(_ daemon: DaemonFixture) async throws {
        struct Who: Decodable {
            struct Session: Decodable { let expiresAt: Double? }
            let session: Session
        }
        try await eventually("the access token has expired") {
            let run = try await daemon.ctl("whoami", "--json")
            let who = try JSONDecoder().decode(Who.self, from: Data(run.output.utf8))
            return who.session.expiresAt.map { $0 / 1000 < Date.now.timeIntervalSince1970 } ?? false
        }
    }

    private func killDaemon(at step: Step, _ daemon: DaemonFixture, _ sandbox: SandboxFixture) async throws {
        let secrets = daemon.databaseFile.replacing("cutied.db", with: "secrets")
        let before = try String(contentsOfFile: secrets, encoding: .utf8)
        if step == .asked || step == .answered { try await sandbox.suspend() }
        let verb = try daemon.startVerb(["tags"])
        switch step {
        case .asked, .answered: try await eventually("the request") { try sandbox.hasUnreadRequest() }
        case .kept:
            try await eventually("the new token is kept") {
                try String(contentsOfFile: secrets, encoding: .utf8) != before
            }
        case .used: #expect(try await verb.waitForExit() == 0, "\(verb.standardError)")
        }
        try await daemon.killProcess()
        if step == .asked {
            try await sandbox.killProcess()
            try await sandbox.start()
        } else {
            sandbox.resume()
        }
    }
}
