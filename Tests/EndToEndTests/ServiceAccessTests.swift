import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// Tests of apps that request access to services of the user's institution. The daemon, the issuer and the
/// service are real programs. The app uses a Varlink client from PyPI.
@Suite(.enabled(if: varlinkPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"))
struct `An app that asks for access to a service` {
    @Test func `An app gets a service token that is valid until the user revokes the access`() async throws {
        try await ServiceFixture.with { fixture async throws in
            let service = try #require(try await fixture.authorize(answering: "allow").first)
            #expect(service.engineName == "Library")
            let (status, answer) = try await fixture.use(service)
            #expect(status == 200 && answer.contains("org.example.Notes"), "\(answer)")
            #expect(try await fixture.daemon.ctl("access").output.contains("granted"))
            let dry = try await fixture.daemon.ctl("access", "revoke", "Notes", "--dry-run")
            #expect(dry.output.contains("the tokens of Notes at Library"))
            #expect(try await fixture.use(service).status == 200, "it only told")
            #expect(try await fixture.daemon.ctl("access", "revoke", "Notes").code == 0)
            try await eventually("the token is revoked") { try await fixture.use(service).status == 401 }
            #expect(try await fixture.authorize(answering: "allow").count == 1, "the person was asked again")
        }
    }

    @Test func `A refused app gets an empty list, and the same request causes no second question`()
        async throws
    {
        try await ServiceFixture.with { fixture async throws in
            #expect(try await fixture.authorize(answering: "refuse").isEmpty)
            #expect(try await fixture.authorize(answering: nil).isEmpty)
            #expect(try await fixture.daemon.ctl("service", "list", "--mine", "--json").output.contains("[]"))
        }
    }

    @Test func `A grant survives a crash, and no file contains a readable token`() async throws {
        try await ServiceFixture.with { fixture async throws in
            let before = try #require(try await fixture.authorize(answering: "allow").first)
            try await fixture.daemon.killProcess()
            try await fixture.daemon.start()
            let after = try #require(try await fixture.authorize(answering: nil).first)
            #expect(try await fixture.use(after).status == 200)
            try await fixture.daemon.stop()
            for token in [before, after].map(\.authorization.accessToken) {
                #expect(!fixture.daemon.journal.contains(token))
                for ending in ["", "-wal"] {
                    let data = try? Data(contentsOf: URL(filePath: fixture.daemon.databaseFile + ending))
                    #expect(data?.range(of: Data(token.utf8)) == nil, "in cutied.db\(ending)")
                }
            }
            try await fixture.daemon.start()
        }
    }

    @Test func `Signing out revokes the service tokens of apps`() async throws {
        try await ServiceFixture.with { fixture async throws in
            let service = try #require(try await fixture.authorize(answering: "allow").first)
            let dry = try await fixture.daemon.ctl("signout", "--dry-run")
            #expect(dry.output.contains("this computer's token at Library"))
            #expect(try await fixture.daemon.ctl("signout").code == 0)
            try await eventually("the token is revoked") { try await fixture.use(service).status == 401 }
        }
    }

    @Test func `A service that rejects the issuer's assertion is not returned`() async throws {
        try await ServiceFixture.with(faults: ["refuse-assertions"]) { fixture async throws in
            #expect(try await fixture.authorize(answering: "allow").isEmpty)
            #expect(try await fixture.daemon.ctl("service", "list", "--mine", "--json").output.contains("[]"))
        }
    }

    @Test func `Without a discovery service, a service is found by the host that the user enters`()
        async throws
    {
        try await ServiceFixture.with(discovers: false) { fixture async throws in
            #expect(try await fixture.authorize(answering: nil).isEmpty)
            let found = try await fixture.daemon.ctl("service", "discover", fixture.service.url)
            #expect(found.code == 0 && found.output.contains("Library"), "\(found.error)")
            #expect(try await fixture.authorize(answering: "allow").count == 1)
        }
    }

    @Test(arguments: ["broken-description", "huge-description", "xml-description"])
    func `An unusable service description is reported and not stored`(fault: String) async throws {
        try await ServiceFixture.with(discovers: false, faults: [fault]) { fixture async throws in
            let found = try await fixture.daemon.ctl("service", "discover", fixture.service.url)
            #expect(found.code != 0 && !found.error.isEmpty && !found.error.contains("<"))
            #expect(try await !fixture.daemon.ctl("service").output.contains("Library"))
        }
    }

    @Test(.enabled(if: Bubblewrap.works, "bubblewrap is not there, or may not make namespaces"))
    func `A sandboxed app can reach the access socket and get tokens, but cannot reach the control socket`()
        async throws
    {
        try await ServiceFixture.with { fixture async throws in
            let inside = Bubblewrap.arguments(seeing: fixture.accessDirectory)
            let service = try #require(try await fixture.authorize(answering: "allow", through: inside).first)
            #expect(try await fixture.use(service).status == 200)
            let reach = try ChildProcess(
                Bubblewrap.program, inside + ["/bin/ls", URL(filePath: fixture.daemon.socketFile).path])
            #expect(try await reach.waitForExit() != 0, "the control socket is not visible in the sandbox")
        }
    }
}

/// A bubblewrap sandbox that contains the system directories and one directory of this session.
private enum Bubblewrap {
    static let program = "/usr/bin/bwrap"

    static let works: Bool = {
        let probe = Process()
        probe.executableURL = URL(filePath: program)
        probe.arguments = arguments(seeing: "/tmp") + ["/bin/true"]
        guard (try? probe.run()) != nil else { return false }
        probe.waitUntilExit()
        return probe.terminationStatus == 0
    }()

    static func arguments(seeing directory: String) -> [String] {
        var arguments = ["--unshare-pid", "--die-with-parent", "--proc", "/proc", "--dev", "/dev"]
        for path in ["/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ssl"] {
            arguments += ["--ro-bind-try", path, path]
        }
        // The sandbox also contains the Python installation with the packages that the app needs.
        if let python = varlinkPython {
            let root = URL(filePath: python).resolvingSymlinksInPath().deletingLastPathComponent()
                .deletingLastPathComponent().path
            let venv = URL(filePath: python).deletingLastPathComponent().deletingLastPathComponent().path
            arguments += ["--ro-bind-try", root, root, "--ro-bind-try", venv, venv]
        }
        return arguments + ["--bind", directory, directory]
    }
}

/// A fixture with the signed-in user Kim, a service of Kim's institution, and an app.
private struct ServiceFixture {
    let daemon: DaemonFixture
    let service: SandboxService

    struct Service: Decodable, Sendable {
        struct API: Decodable, Sendable { let apiLink: String }
        struct Authorization: Decodable, Sendable { let accessToken: String }

        let engineName: String
        let apis: [String: API]
        let authorization: Authorization
    }

    private static let wanted = "com.cuti-e.conversations"

    var accessDirectory: String { URL(filePath: daemon.access.path).deletingLastPathComponent().path }

    /// Creates a fixture and runs `body`.
    ///
    /// - Parameter discovers: whether the configuration contains the URL of a discovery service.
    static func with(
        discovers: Bool = true, faults: [String] = [], _ body: (ServiceFixture) async throws -> Void
    ) async throws {
        let bus = try await PrivateBus()
        let sandbox = try await SandboxFixture()
        let isSpoilt = faults.contains { $0.hasSuffix("description") }
        let service = try await SandboxService(
            issuer: sandbox, name: "Library", faults: faults, isAnnounced: !isSpoilt)
        let access = discovers ? "access:\n  discovery: \(sandbox.url)/v1/discovery\n" : ""
        let daemon = try DaemonFixture(
            session: bus.environment,
            configuration:
                "kind: identity\napi_url: \(sandbox.url)\nsecrets: file\nquestions: false\n\(access)")
        try await daemon.start()
        try await signIn(daemon, sandbox)
        try await body(ServiceFixture(daemon: daemon, service: service))
        try await daemon.stop()
        try await service.stop()
    }

    private static func signIn(_ daemon: DaemonFixture, _ sandbox: SandboxFixture) async throws {
        let adding = try ChildProcess(
            BuiltProduct.path(of: "cutie-sandbox"),
            [
                "admin", "add", "Kim", "kim@example.com", "--url", sandbox.url, "--client-id",
                "cutie_ci_tests", "--client-secret", "cutie_cs_tests",
            ])
        let password = try await adding.waitForLine(after: "password ")
        let verb = try daemon.startVerb(["signin", "--method", "device"])
        let code = try await verb.waitForLine(after: "code   ").prefix { $0 != "," && $0 != " " }
        let browser = TestBrowser(sandbox.url)
        let consent = try await browser.signIn(
            "kim@example.com", password, to: "/device?user_code=\(code)")
        _ = try await browser.submit(consent, ["user_code": String(code), "decision": "allow"])
        #expect(try await verb.waitForExit() == 0, "\(verb.standardError)")
    }

    /// Requests access as an app and answers the resulting question as the user.
    ///
    /// - Parameters:
    ///   - answer: the answer to the question; `nil` if no question is expected.
    ///   - sandbox: a command that starts the app in a sandbox; empty for no sandbox.
    func authorize(answering answer: String?, through sandbox: [String] = []) async throws -> [Service] {
        let script = """
            import json, sys, varlink
            client = varlink.Client.new_with_address("unix:" + sys.argv[1])
            with client.open("io.cutied.Access") as access:
                print(json.dumps(access.AuthorizeProtocols("notes", "org.example.Notes", "Notes", [sys.argv[2]], None, None)))
            """
        let python = try #require(varlinkPython)
        let command = [python, "-c", script, daemon.access.path, Self.wanted]
        let whole = sandbox.isEmpty ? command : [Bubblewrap.program] + sandbox + command
        let app = try ChildProcess(whole[0], Array(whole.dropFirst()))
        if let answer { try await self.answer(answer, waitingFor: app) }
        #expect(try await app.waitForExit() == 0, "\(app.standardError)")
        struct Reply: Decodable { let services: [Service] }
        return try JSONDecoder().decode(Reply.self, from: Data(app.standardOutput.utf8)).services
    }

    private func answer(_ answer: String, waitingFor app: SpawnedProgram) async throws {
        struct ServiceAccessRequest: Decodable, Sendable {
            struct Question: Decodable, Sendable {
                let questionId: String
                let kind: String
                let verified: Bool?
            }
            let questions: [Question]
        }
        var asked: ServiceAccessRequest.Question?
        try await eventually("the user is asked; \(app.standardError)") {
            asked = try await daemon.control.call("ListQuestions", as: ServiceAccessRequest.self).questions
                .first { $0.kind == "services" }
            return asked != nil
        }
        #expect(asked?.verified == false, "nobody vouches for a script")
        let choice = answer == "allow" ? ["--service", "Library"] : []
        let run = try daemon.startVerb(["questions", "answer", asked?.questionId ?? "", answer] + choice)
        #expect(try await run.waitForExit() == 0, "\(run.standardError)")
    }

    func use(_ service: Service) async throws -> (status: Int, answer: String) {
        let link = try #require(service.apis[Self.wanted]?.apiLink)
        var request = URLRequest(url: try #require(URL(string: link)))
        request.setValue("Bearer " + service.authorization.accessToken, forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
    }
}
