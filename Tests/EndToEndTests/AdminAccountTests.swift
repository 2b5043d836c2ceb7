import TestSupport
import Testing

/// Tests of the command `cutie-sandbox admin add`.
struct AdminAccountTests {
    private func add(_ name: String, _ email: String, at sandbox: SandboxFixture) async throws -> ChildProcess
    {
        let program = try ChildProcess(
            try BuiltProduct.path(of: "cutie-sandbox"),
            ["admin", "add", name, email, "--url", sandbox.url]
                + ["--client-id", "cutie_ci_tests", "--client-secret", "cutie_cs_tests"])
        _ = try await program.waitForExit()
        return program
    }

    @Test func `An admin can sign in with the password that the sandbox printed, even after a restart`()
        async throws
    {
        let sandbox = try await SandboxFixture()
        let made = try await add("Kim", "kim@example.org", at: sandbox)
        #expect(try await made.waitForExit() == 0, "\(made.standardError)")
        let words = made.standardOutput.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(words.count == 2 && words[0] == "password")
        try await sandbox.stop()
        try await sandbox.start()
        let fixture = try await TestBrowser(sandbox.url).signIn("kim@example.org", words[1], to: "/login")
        #expect(fixture.title == "Signed in" && fixture.text.contains("Kim"))
        let again = try await add("Kim B", "KIM@example.org", at: sandbox)
        #expect(try await again.waitForExit() == 1 && again.standardError.contains("already exists"))
        let odd = try await add("Kim C", "kim", at: sandbox)
        #expect(try await odd.waitForExit() == 1 && odd.standardError.contains("e-mail address"))
        try await sandbox.stop()
    }
}
