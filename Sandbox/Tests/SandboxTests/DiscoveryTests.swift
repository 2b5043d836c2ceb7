import CutieAPI
import Foundation
import Sandbox
import TestSupport
import Testing

/// Tests of service discovery: the description that a service publishes, and the index of announced services.
@Suite struct DiscoveryTests {
    struct Document: Decodable, Equatable {
        let engineName: String
        let engineLink: String
        let apis: [String: API]

        struct API: Decodable, Equatable {
            let apiLink: String
            let settings: [String: String]?
        }
    }

    private static let scopes = [
        "com.cuti-e.conversations": "conversations:read", "com.cuti-e.replies": "messages:write",
        "com.cuti-e.staff": "conversations:write",
    ]

    @Test func `The sandbox publishes a service description of its API`() async throws {
        try await withSandbox { sandbox in
            let url = sandbox.address.url
            let list = try await sandbox.call("GET", "/services.txt")
            #expect(
                String(decoding: list.body, as: UTF8.self)
                    == "application/x-rsd+json; \(url)/rsd.json\napplication/x-rsd+yaml; \(url)/rsd.yaml\n")
            let answer = try await sandbox.call("GET", "/rsd.json")
            #expect(answer.header("Content-Type") == "application/json")
            let document: Document = try answer.decoded()
            #expect(document.engineLink == url + "/" && document.apis.count == 4)
            #expect(document.apis["org.ietf.oauth2"]?.apiLink == "/v1/auth/oauth")
            for (name, scope) in Self.scopes {
                #expect(document.apis[name]?.apiLink == "/v1/conversations")
                #expect(document.apis[name]?.settings == ["scope": scope])
            }
        }
    }

    @Test func `A service description lists its APIs with their scopes`() async throws {
        let names = ["com.cuti-e.staff", "org.example.notes"]
        try await withService(issuer: "http://127.0.0.1:1", { $0.protocols = names }) { service in
            let document: Document = try await service.call("GET", "/rsd.json").decoded()
            #expect(document.engineName == "A service" && document.apis.count == 3)
            #expect(document.apis["org.example.notes"]?.settings == ["scope": "org.example.notes:use"])
            #expect(document.apis["com.cuti-e.staff"]?.settings == ["scope": "conversations:write"])
            #expect(document.apis["org.ietf.oauth2"]?.apiLink == "oauth2")
            let yaml = try await service.call("GET", "/rsd.yaml")
            #expect(yaml.header("Content-Type") == "application/yaml")
            let text = String(decoding: yaml.body, as: UTF8.self)
            #expect(text.contains("\nengineLink: \"\(service.url)/\"\n"))
            #expect(
                text.contains("\n  \"org.example.notes\":\n    apiLink: \"/protocols/org.example.notes\"\n"))
            #expect(text.contains("\n    settings:\n      \"scope\": \"org.example.notes:use\"\n"))
        }
    }

    @Test(arguments: ["/services.txt", "/rsd.json", "/rsd.yaml"])
    func `A request with the ETag of the current service description gets 304`(path: String) async throws {
        try await withSandbox { sandbox in
            try await withService(issuer: sandbox.address.url) { service in
                for server in [sandbox.server, service] {
                    let answer = try await server.call("GET", path)
                    let tag = try #require(answer.header("ETag"))
                    let changed = try #require(answer.header("Last-Modified"))
                    #expect(
                        changed.contains(/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} 20[0-9]{2} [0-9:]{8} GMT$/))
                    #expect(answer.header("Date") != nil)
                    let again = try await server.call("GET", path, ["If-None-Match": tag])
                    #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
                    #expect(try await server.call("GET", path, ["If-None-Match": "\"x\""]).status == 200)
                }
            }
        }
    }

    @Test func `A search for protocols finds the announced services that support all of these protocols`()
        async throws
    {
        try await withSandbox { sandbox in
            let first = try await sandbox.announce("https://a.example/", ["org.example.notes"])
            #expect(first.status == 201)
            #expect(
                try await sandbox.announce(
                    "https://b.example/", ["org.example.notes", "com.cuti-e.conversations"]
                ).status == 201)
            #expect(
                try await sandbox.found(["org.example.notes"]) == [
                    "https://a.example/", "https://b.example/",
                ])
            let both = ["org.example.notes", "com.cuti-e.conversations"]
            #expect(try await sandbox.found(both) == ["https://b.example/"])
            let own = sandbox.address.url + "/"
            #expect(try await sandbox.found(["com.cuti-e.replies"]) == [own])
            #expect(try await sandbox.found(["com.cuti-e.conversations"]) == [own, "https://b.example/"])
            #expect(try await sandbox.found(["org.example.unknown"]).isEmpty)
            #expect(try await sandbox.announce("https://b.example/", ["org.example.other"]).status == 201)
            #expect(try await sandbox.found(["org.example.notes"]) == ["https://a.example/"])
        }
    }

    @Test func `A service that does not issue tokens is not listed in the discovery results`() async throws {
        try await withSandbox { sandbox in
            let answer = try await sandbox.announce(
                "https://a.example/", ["org.example.notes"], oauth2: "org.example.other")
            #expect(answer.status == 201)
            #expect(try await sandbox.found(["org.example.notes"]).isEmpty)
        }
    }

    @Test
    func `Only an admin can announce a service; invalid announcements and search requests are rejected`()
        async throws
    {
        try await withSandbox { sandbox in
            let bare = try await sandbox.call("POST", "/v1/sandbox/services", [:], #"{"apis":{}}"#)
            #expect(bare.status == 401)
            let person = try await sandbox.issuer().tokens()
            let document = #"{"engineName":"A","engineLink":"https://a.example/","apis":{}}"#
            let bearer = ["Authorization": "Bearer \(person.access_token)"]
            #expect(try await sandbox.call("POST", "/v1/sandbox/services", bearer, document).status == 403)
            let admin = try await sandbox.admin()
            for (body, status) in [
                ("{}", 422), ("<rsd/>", 400), (document.replacing("https://a.example/", with: "a"), 422),
                (document, 201),
            ] {
                #expect(try await admin.call("POST", "/v1/sandbox/services", body).status == status)
            }
            let many = "[" + (0...64).map { "\"p\($0)\"" }.joined(separator: ",") + "]"
            for (body, status) in [("{}", 422), ("x", 400), ("[1]", 422), (many, 422), ("[]", 200)] {
                #expect(try await sandbox.call("POST", "/v1/discovery", [:], body).status == status)
            }
        }
    }

    @Test func `The discovery service and the tokens for services can be disabled`() async throws {
        try await withSandbox({ $0.disabledFeatures = [.discovery, .assertions] }) { sandbox in
            for path in ["/services.txt", "/rsd.json", "/rsd.yaml"] {
                #expect(try await sandbox.call("GET", path).status == 404)
            }
            #expect(try await sandbox.call("POST", "/v1/discovery", [:], "[]").status == 404)
            let issuer = try await sandbox.issuer()
            #expect(try await issuer.ask(ServiceClient.jwtBearer, [:]).error == "unsupported_grant_type")
        }
    }

    @Test func `A fault injection option makes a service refuse all users`() async throws {
        try await withServiceClient({ $0.faults = [.refuseAssertions] }) { client in
            let answer = try await client.register()
            #expect(answer.status == 400 && answer.error == "invalid_grant")
        }
    }

    @Test func `A fault injection option makes the service return an invalid, oversized or XML description`()
        async throws
    {
        let issuer = "http://127.0.0.1:1"
        try await withService(issuer: issuer, { $0.faults = [.brokenDescription] }) { service in
            let answer = try await service.call("GET", "/rsd.json")
            #expect(answer.status == 200 && (try? answer.decoded(Document.self)) == nil)
        }
        try await withService(issuer: issuer, { $0.faults = [.hugeDescription] }) { service in
            let answer = try await service.call("GET", "/rsd.yaml")
            #expect(answer.body.count > 1 << 20)
        }
        try await withService(issuer: issuer, { $0.faults = [.xmlDescription] }) { service in
            let answer = try await service.call("GET", "/rsd.json")
            #expect(answer.body.starts(with: Data("<?xml".utf8)))
        }
    }

    @Test
    func `A fault injection option makes the service return a description that refers to another server`()
        async throws
    {
        let issuer = "http://127.0.0.1:1"
        try await withService(issuer: issuer, { $0.faults = [.foreignLink] }) { service in
            let document: Document = try await service.call("GET", "/rsd.json").decoded()
            let foreign = service.url.replacing("127.0.0.1", with: "localhost")
            #expect(
                document.apis["com.cuti-e.staff"]?.apiLink == foreign + "/protocols/com.cuti-e.staff")
            #expect(document.engineLink == service.url + "/")
        }
        for (fault, host) in [(ServiceFault.redirect, "localhost"), (.movedDescription, "127.0.0.1")] {
            try await withService(issuer: issuer, { $0.faults = [fault] }) { service in
                // URLSession follows the redirect, so the links in the document contain the host of the
                // redirect's target.
                let document: Document = try await service.call("GET", "/rsd.json").decoded()
                #expect(document.engineLink == service.url.replacing("127.0.0.1", with: host) + "/")
            }
        }
    }

    @Test(arguments: ["", "a/b", "org.ietf.oauth2", "a b"])
    func `An invalid protocol name is rejected`(name: String) {
        var options = ServiceOptions(issuer: "http://127.0.0.1:1")
        options.protocols = [name]
        let error = #expect(throws: SandboxError.self) { try ServiceServer(options) }
        #expect(error?.code == .badURL)
    }

    @Test(arguments: ["", "127.0.0.1:1", "http://issuer.example", "ftp://issuer.example"])
    func `An invalid issuer is rejected`(address: String) {
        let error = #expect(throws: SandboxError.self) {
            try ServiceServer(ServiceOptions(issuer: address))
        }
        #expect(error?.code == .badURL)
    }
}

extension RunningSandbox {
    fileprivate func announce(
        _ link: String, _ names: [String], oauth2: String = "org.ietf.oauth2"
    ) async throws -> Answer {
        let apis = (names + [oauth2]).map { #""\#($0)":{"apiLink":"/x"}"# }.joined(separator: ",")
        let document = #"{"engineName":"A","engineLink":"\#(link)","apis":{\#(apis)}}"#
        return try await admin().call("POST", "/v1/sandbox/services", document)
    }

    /// Returns the links of all services that support the protocols `names`.
    fileprivate func found(_ names: [String]) async throws -> [String] {
        let body = String(decoding: try JSON.encode(names), as: UTF8.self)
        let documents: [DiscoveryTests.Document] = try await call("POST", "/v1/discovery", [:], body)
            .decoded()
        return documents.map(\.engineLink)
    }
}
