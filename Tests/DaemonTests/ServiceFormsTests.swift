import ControlAPI
import Domain
import Reasons
import Synchronization
import TestSupport
import Testing

@testable import Access
@testable @_spi(Access) import Store

/// Tests of the formats in which hosts publish service descriptions, from the RSD2 specification and from
/// real servers.
@MainActor
struct ServiceFormsTests {
    let fixture: ServiceFixture
    private var provider: AccessProvider { fixture.provider }

    init() async throws { fixture = try await ServiceFixture() }

    /// Returns a host that serves `files` by path and query. `{url}` in a file is replaced by the URL of the
    /// host, and `{other}` by the URL `other`.
    private func host(_ files: [String: String], other: String = "") throws -> ScriptedAPI {
        try ScriptedAPI([
            "GET /": { connection, request, _ in
                let target = request.line.split(separator: " ").dropFirst().first.map(String.init)
                guard let text = target.flatMap({ files[$0] }) else { return false }
                let own = "http://" + (request.values(of: "Host").first ?? "")
                return connection.answer(
                    body: text.replacing("{url}", with: own).replacing("{other}", with: other))
            }
        ])
    }

    /// Returns a description in Moodle's format, with a token endpoint. If `name` is empty, the service is
    /// named after its host.
    nonisolated static func document(_ name: String = "Notes", engine: String = "{url}") -> String {
        """
        {"engineName":"\(name)","homePageLink":"{url}","engineLink":"\(engine)","apis":{\
        "org.example.notes":{"apiLink":"n"},"org.ietf.oauth2":{"apiLink":"oauth/"}}}
        """
    }

    /// Returns a description in which `link` is the only member of the token endpoint.
    nonisolated private static func tokens(_ link: String) -> String {
        #"{"homePageLink":"{url}","engineLink":"{url}","apis":{"org.example.notes":{"apiLink":"n"},"#
            + #""org.ietf.oauth2":{\#(link)}}}"#
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let files: [String: String]
        /// The path of the URL that the user types.
        var path = ""
    }

    nonisolated static let forms = [
        Form(
            testDescription: "the first line with a usable type",
            files: [
                "/services.txt": "application/x-rsd+xml; rsd.xml\napplication/x-rsd+json; d.json\n",
                "/d.json": document(),
            ]),
        Form(
            testDescription: "a relative link in a folder",
            files: [
                "/services.txt": "ttl: 60\n# note\napplication/x-rsd+json;desc/notes.json\n",
                "/desc/notes.json": document(),
            ]),
        Form(testDescription: "the description as services.txt", files: ["/services.txt": document()]),
        Form(
            testDescription: "a link in the front page",
            files: [
                "/": "<html><LINK href='/d.json' type=application/x-rsd+json rel='alternate serviceapi'>",
                "/d.json": document(),
            ]),
        Form(
            testDescription: "a link in the page whose URL the user typed",
            files: [
                "/moodle": "<link rel=serviceapi type=application/x-rsd+json href={url}/moodle/d.json>",
                "/moodle/d.json": document(),
            ], path: "/moodle"),
        Form(
            testDescription: "a list on the host of the page whose URL the user typed",
            files: ["/services.txt": "application/x-rsd+json; d.json", "/d.json": document()],
            path: "/moodle"),
        Form(
            testDescription: "rsd.json on the host of a page with a query",
            files: ["/index.php?id=1": "<title>Home</title>", "/rsd.json": document()],
            path: "/index.php?id=1"),
        Form(
            testDescription: "a relative link in a page with a query",
            files: [
                "/page?x=1": "<link rel=serviceapi type=application/x-rsd+json href=d.json>",
                "/d.json": document(),
            ], path: "/page?x=1"),
        Form(
            testDescription: "a link without a type",
            files: ["/page?x=1": #"<link rel="ServiceAPI" href="d.json">"#, "/d.json": document()],
            path: "/page?x=1"),
        Form(
            testDescription: "a link in the head of a large page",
            files: [
                "/": "<link rel=serviceapi type=application/x-rsd+json href=/d.json>"
                    + String(repeating: "<p>Welcome", count: 30_000),
                "/d.json": document(),
            ]),
        Form(testDescription: "the description as the front page", files: ["/": document()]),
        Form(testDescription: "rsd.json", files: ["/rsd.json": document()]),
        Form(
            testDescription: "rsd.yaml",
            files: [
                "/rsd.yaml":
                    "engineName: Notes\nhomePageLink: '{url}'\nengineLink:\napis: {org.ietf.oauth2: {}, org.example.notes: {}}\n"
            ]),
        Form(
            testDescription: "a description with any file name", files: ["/x.json": document()],
            path: "/x.json"),
        Form(
            testDescription: "a page that is not a list",
            files: ["/services.txt": "<!doctype html><title>Not here</title>", "/rsd.json": document()]),
        Form(testDescription: "an empty engine link", files: ["/rsd.json": document(engine: "")]),
        Form(testDescription: "a relative engine link", files: ["/rsd.json": document(engine: "e/")]),
    ]

    @Test(arguments: forms)
    func `A service is discovered from each supported format of service descriptions`(form: Form) async throws
    {
        let host = try host(form.files)
        let found = try await provider.discoverServices(at: host.url + form.path, account: nil)
        #expect(found.services.map(\.name) == ["Notes"])
        #expect(found.services.first?.protocols == ["org.example.notes"])
        #expect(found.problems.isEmpty)
    }

    @Test(arguments: MoodleDocument.allCases, ["", "/local/rsd/list.php"])
    func `A Moodle site is discovered from its host and from the URL of its description`(
        document: MoodleDocument, path: String
    ) async throws {
        let host = try host([
            "/services.txt": "application/rsd+json; /local/rsd/list.php\n",
            "/local/rsd/list.php": document.text(at: "{url}"),
        ])
        let found = try await provider.discoverServices(at: host.url + path, account: nil)
        #expect(found.services.map(\.name) == ["Moodle"] && found.problems.isEmpty)
        #expect(found.services.first?.homePage == host.url + "/")
        #expect(found.services.first?.protocols.contains(document.example.name) == true)
    }

    @Test func `After a redirect, relative links in a page are resolved against the final address`()
        async throws
    {
        let host = try ScriptedAPI([
            "GET /": { connection, request, _ in
                let own = "http://" + (request.values(of: "Host").first ?? "")
                switch request.call {
                case "GET /": return connection.answer("302 Found", ["Location: /login/"])
                case "GET /login/":
                    return connection.answer(
                        body: "<link rel=serviceapi type=application/x-rsd+json href=rsd/d.json>")
                case "GET /login/rsd/d.json":
                    return connection.answer(body: Self.document().replacing("{url}", with: own))
                default: return false
                }
            }
        ])
        #expect(
            try await provider.discoverServices(at: host.url, account: nil).services.map(\.name) == ["Notes"])
    }

    @Test func `The user may type a host without a URL scheme`() async throws {
        await #expect(throws: Offline.self) {
            try await asClient { try await provider.discoverServices(at: "127.0.0.1:1", account: nil) }
        }
        await #expect(throws: InvalidArgument.self) {
            try await asClient {
                try await provider.discoverServices(at: "http://services.example", account: nil)
            }
        }
    }

    @Test func `The token endpoint is not listed as a protocol`() async throws {
        let document = Self.document().replacing("org.ietf.oauth2", with: "org.ietf.oauth2.token")
        let host = try host(["/rsd.json": document])
        let service = try await provider.discoverServices(at: host.url, account: nil).services.first
        #expect(service?.protocols == ["org.example.notes"])
    }

    @Test func `The field "ttl" of a service list limits how long its descriptions are cached`() async throws
    {
        let host = try host([
            "/services.txt": "ttl: 60\napplication/x-rsd+json; d.json\n", "/d.json": Self.document(),
        ])
        _ = try await provider.discoverServices(at: host.url, account: nil)
        let records = try fixture.fixture.store.read { try $0.services.fetchAll() }
        #expect(records.first { $0.name == "Notes" }?.freshness == 60)
    }

    @Test
    func `If a description refers to a service on a different host, the description from that host is used`()
        async throws
    {
        let engine = try host(["/rsd.json": Self.document()])
        let home = try host(["/rsd.json": Self.document("Copy", engine: "{other}")], other: engine.url)
        let found = try await provider.discoverServices(at: home.url, account: nil)
        #expect(found.services.map(\.link) == [engine.url])
        #expect(found.services.map(\.name) == ["Notes"], "the service's own document counts")
    }

    @Test func `A description of a service on another host is rejected if that host has no description`()
        async throws
    {
        let engine = try host([:])
        let home = try host(["/rsd.json": Self.document("Copy", engine: "{other}")], other: engine.url)
        let failure = await #expect(throws: InvalidResponse.self) {
            try await asClient {
                try await provider.discoverServices(at: home.url, account: nil)
            }
        }
        let hosts = [home.url, engine.url].map { $0.replacing("http://", with: "") }
        #expect(
            failure?.reason
                == "\(hosts[0]) describes a service at \(hosts[1]), which has no service description")
    }

    @Test(arguments: [
        (
            ["/services.txt": "application/x-rsd+xml; rsd.xml\n"],
            "publishes its service description only as XML; the description must be JSON or YAML"
        ),
        (["/rsd.json": #"{"engineLink":"{url}","apis":[]}"#], "offers no protocols"),
        (
            ["/rsd.json": #"{"engineLink":"{url}","apis":{"a":{}}}"#],
            "has no token endpoint: org.ietf.oauth2 is missing"
        ),
        ([:], "does not describe any services"),
        (
            ["/services.txt": "application/x-rsd+json; http://rsd.example.org/rsd.json\n"],
            "describes a service at an unusable address: the link does not begin with https://"
        ),
        (
            ["/": "<link rel=ServiceAPI href=javascript:x><link rel=ServiceAPI href='../%2e%2e/x'>"],
            "describes a service at an unusable address: the link has a scheme other than https"
        ),
        (
            ["/rsd.json": tokens(#""apiLink":"https://login.example.org/oauth""#)],
            """
            issues no usable tokens: org.ietf.oauth2 is on login.example.org, which is not the host of the \
            service; the token of {host} is not sent to another host
            """
        ),
        (
            ["/rsd.json": tokens(#""apiLink":"http://login.example.org/oauth""#)],
            "issues no usable tokens: org.ietf.oauth2 is not valid: the link does not begin with https://"
        ),
        (
            [
                "/rsd.json":
                    #"{"engineLink":"","apis":{"org.example.notes":{"apiLink":"n"},"org.ietf.oauth2":{"apiLink":"oauth/"}}}"#
            ],
            """
            issues no usable tokens: org.ietf.oauth2 is not valid: the service description contains no \
            address
            """
        ),
        (
            [
                "/rsd.json":
                    #"{"engineName":"Moodle","homePageLink":"{url}","engineLink":"","apis":{"org.moodle.mobile":{}}}"#
            ],
            "has no token endpoint: org.ietf.oauth2 is missing"
        ),
    ])
    func `The error for a host without a usable service states the reason`(
        files: [String: String], reason: String
    )
        async throws
    {
        let host = try host(files)
        do {
            _ = try await provider.discoverServices(at: host.url, account: nil)
            Issue.record("found something")
        } catch ServiceError.invalidResponse(let text, let peer) {
            let name = host.url.replacing("http://", with: "")
            #expect(
                [name, "Moodle"].map { $0 + " " + reason.replacing("{host}", with: name) }.contains(
                    text.english))
            #expect(peer == "service", "waiting does not help")
        }
    }

    @Test func `A skipped link is reported even if a description is found at another link or location`()
        async throws
    {
        let unusable = "application/x-rsd+json; http://rsd.example.org/d.json\n"
        for files in [
            ["/services.txt": unusable + "application/x-rsd+json; d.json\n", "/d.json": Self.document()],
            ["/services.txt": unusable, "/rsd.json": Self.document()],
        ] {
            let host = try host(files)
            let found = try await provider.discoverServices(at: host.url, account: nil)
            let name = host.url.replacing("http://", with: "")
            #expect(found.services.count == 1)
            #expect(
                found.problems.map(\.english) == [
                    "\(name) describes a service at an unusable address: the link does not begin with https://"
                ])
        }
    }

    @Test func `A redirect to another origin is not followed, and is reported as an invalid response`()
        async throws
    {
        let other = try host(["/rsd.json": Self.document()])
        let host = try ScriptedAPI([
            "GET /rsd.json": { connection, _, _ in
                connection.answer("302 Found", ["Location: \(other.url)/rsd.json"])
            }
        ])
        do {
            _ = try await provider.discoverServices(at: host.url + "/rsd.json", account: nil)
            Issue.record("the redirect was followed")
        } catch ServiceError.invalidResponse(let reason, _) {
            let name = host.url.replacing("http://", with: "")
            #expect(reason.english == "\(name) redirects to \(other.url)")
        }
        #expect(other.requestCount(of: "GET /rsd.json") == 0)
    }

    @Test func `A protocol at a different origin from the service is listed as unusable, with the reason`()
        async throws
    {
        let document = Self.document().replacing(#""apiLink":"n""#, with: #""apiLink":"{other}/n""#)
        let host = try host(["/rsd.json": document], other: fixture.service.url)
        let service = try await provider.discoverServices(at: host.url, account: nil).services.first
        let names = [fixture.service.url, host.url].map { $0.replacing("http://", with: "") }
        #expect(
            service?.unusable.map(\.english)
                == [
                    "org.example.notes is on \(names[0]), which is not the host of the service; the token of \(names[1]) is not sent to another host"
                ])
        #expect(service?.protocols == [])
    }

    @Test func `An unreadable service description does not affect other descriptions`() async throws {
        let host = try host([
            "/services.txt": "application/x-rsd+json; bad.json\napplication/x-rsd+json; d.json\n",
            "/bad.json": "{", "/d.json": Self.document(),
        ])
        let found = try await provider.discoverServices(at: host.url, account: nil)
        #expect(found.services.map(\.name) == ["Notes"])
        #expect(found.problems.count == 1)
    }

    @Test func `A 404 response from the discovery service means that no service matches`() async throws {
        let index = try ScriptedAPI(["POST /": { connection, _, _ in connection.answer("404 Not Found") }])
        try fixture.setDiscoveryURL(index.url + "/")
        #expect(
            try await provider.discoverServices(at: nil, account: nil).services.map(\.name) == ["Library"])
        #expect(index.requestCount(of: "POST /") == 1)
    }

    @Test func `Unusable services in the discovery results are reported with the reason`() async throws {
        let body = #"[{"engineLink":"http://h.example","apis":{}},{"apis":"#
        let answers = Shared(["200 OK", "200 OK", "500 Internal Server Error"])
        let bodies = Shared(["[\(Self.document(engine: "http://h.example"))]", body, ""])
        let index = try ScriptedAPI([
            "POST /": { connection, _, _ in
                connection.answer(answers.value.removeFirst(), body: bodies.value.removeFirst())
            }
        ])
        try fixture.setDiscoveryURL(index.url + "/")
        let host = index.url.replacing("http://", with: "")
        #expect(
            try await provider.discoverServices(at: nil, account: nil).problems.map(\.english)
                == ["\(host): the address of the service (`engineLink`) is not an https address"])
        for _ in 1...2 {
            let problems = try await provider.discoverServices(at: nil, account: nil).problems
            #expect(problems.count == 1 && problems[0].english.contains(host), "\(problems)")
        }
    }

    @Test func `A discovery service at the issuer's origin gets the user's token with the first request`()
        async throws
    {
        let sent = Shared<[[String]]>([])
        let document = ScriptedService.description(of: "Kim's notes", at: "http://127.0.0.1:9")
        let issuer = try ScriptedIssuer([
            "POST /index": { connection, request, _ in
                let authorization = request.values(of: "Authorization")
                sent.value.append(authorization)
                // The index must be requested with a token, because an index that accepts anonymous requests
                // may return only its public part.
                return connection.answer(
                    body: authorization.isEmpty ? "[]" : "[\(document)]")
            }
        ])
        try await fixture.signIn(to: "other", at: issuer)
        try fixture.setDiscoveryURL(issuer.url + "/index")
        let found = try await provider.discoverServices(at: nil, account: nil)
        #expect(found.services.contains { $0.name == "Kim's notes" } && found.problems.isEmpty)
        // The account of another issuer receives the public part of the index.
        #expect(sent.value == [["Bearer access-secret-1"], []])
    }

    @Test func `Services that an index returns for a user's token are stored for that user only`()
        async throws
    {
        // Two accounts of the same issuer, and the fixture's account of another issuer.
        let answers = Shared<[String: String]>([:])
        let issuer = try ScriptedIssuer([
            "POST /index": { connection, request, _ in
                let token = request.values(of: "Authorization").first ?? "none"
                guard let body = answers.value[token] else { return connection.answer("401 Unauthorized") }
                return connection.answer(body: "[\(body)]")
            }
        ])
        func describe(_ name: String, _ port: Int) -> String {
            ScriptedService.description(of: name, at: "http://127.0.0.1:\(port)")
        }
        try await fixture.signIn(to: "kim", at: issuer)
        issuer.state.withLock { $0.subject = "lee" }
        try await fixture.signIn(to: "lee", at: issuer)
        answers.value = [
            "Bearer access-secret-1": describe("Kim's notes", 9),
            "Bearer access-secret-2": describe("Lee's notes", 10),
        ]
        try fixture.setDiscoveryURL(issuer.url + "/index")
        func names(of account: String?) throws -> [String] {
            try provider.findServices(onlyAuthorized: false, searchText: nil, account: account).map(\.name)
                .sorted()
        }
        // The search for one account does not query the index for the other accounts.
        #expect(try await provider.discoverServices(at: nil, account: "lee").problems.isEmpty)
        #expect(try names(of: nil) == ["Lee's notes", "Library"])
        // A 401 without a token is not a problem, because the index has answered the other accounts.
        #expect(try await provider.discoverServices(at: nil, account: nil).problems.isEmpty)
        #expect(try names(of: "kim") == ["Kim's notes"])
        #expect(try names(of: "lee") == ["Lee's notes"])
        #expect(try names(of: "me") == ["Library"])
        // Accounts of other issuers receive the public part of the index.
        answers.value["none"] = describe("Public", 11)
        _ = try await provider.discoverServices(at: nil, account: nil)
        #expect(try names(of: "me") == ["Library", "Public"])
        #expect(try names(of: "kim") == ["Kim's notes"])
    }

    @Test
    func `A discovery service at another origin never gets the user's token, regardless of its responses`()
        async throws
    {
        let sent = Shared<[[String]]>([])
        let index = try ScriptedAPI([
            "POST /index": { connection, request, _ in
                sent.value.append(request.values(of: "Authorization"))
                return connection.answer("401 Unauthorized")
            }
        ])
        try fixture.setDiscoveryURL(index.url + "/index")
        #expect(
            try await provider.discoverServices(at: nil, account: nil).services.map(\.name) == ["Library"])
        #expect(sent.value == [[]])
    }
}
