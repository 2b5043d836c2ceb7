import Foundation
import TestSupport
import Testing

/// Tests that each configuration key that affects requests, and each method of `io.cutied.Access` that sends
/// a request, produces the expected request.
@Suite struct `Requests that reach the Cuti-E API` {
    @Test func `Each configuration key of an account affects a request`() async throws {
        let server = try ServiceRecorder()
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                """
                app_id: app_told
                api_url: \(server.url)
                api_key: key-of-old
                transport: poll
                poll_interval: 1
                device_context: [app_version, os_version]
                app_version: "1.4"
                app_build: "7"
                bundle_id: org.example.Told
                user_id: u-1
                user_name: Ada
                questions: false

                """)
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            try await fixture.use(account: "default")
            try server.expect([
                Row("app_id", ScriptedAPI.list, .header("X-App-ID"), "app_told"),
                Row("app_id", ScriptedAPI.register, .field("app_id"), "app_told"),
                Row("app_id", ServiceRecorder.create, .field("app_id"), "app_told"),
                Row("api_url", ScriptedAPI.list, .header("Host"), String(server.url.dropFirst(7))),
                Row("api_key", ServiceRecorder.create, .header("X-API-Key"), "key-of-old"),
                Row("device_context", ServiceRecorder.create, .field("os_version"), nil),
                Row("app_version", ServiceRecorder.create, .field("app_version"), "1.4 (7)"),
                Row("app_version", ScriptedAPI.register, .field("app_version"), "1.4 (7)"),
                Row("app_build", ServiceRecorder.push, .field("app_version"), "1.4 (7)"),
                Row("bundle_id", ServiceRecorder.push, .field("bundle_id"), "org.example.Told"),
                Row("user_id", ServiceRecorder.create, .field("user_id"), "u-1"),
                Row("user_name", ServiceRecorder.create, .field("user_name"), "Ada"),
                Row("user_name", ScriptedAPI.message, .field("user_name"), "Ada"),
            ])
            #expect(server.requests(of: ServiceRecorder.create).first?.field("device_model") == nil)
            try await eventually("poll_interval: another poll") {
                server.requests(of: ScriptedAPI.list).count > 1
            }
            #expect(server.requests(of: "GET /v1/events").isEmpty, "transport")
            #expect(server.requests(of: ScriptedAPI.stream).isEmpty, "transport")
        }
    }

    /// A regression test: a configured version was never sent if `device_context` was missing.
    @Test(arguments: [("", "1.4"), ("device_context: none", nil), ("device_context: minimal", "1.4")])
    func `A configured version is sent unless the device context forbids it`(
        line: String, version: String?
    ) async throws {
        let server = try ServiceRecorder()
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            try fixture.daemon.configure(
                "app_id: app_told\napi_url: \(server.url)\napp_version: '1.4'\n\(line)\nquestions: false\n")
            try await fixture.daemon.start()
            try await fixture.daemon.waitUntilConnected()
            _ = try await fixture.daemon.startConversation("From here")
            let request = try #require(server.requests(of: ServiceRecorder.create).first)
            #expect(request.field("app_version") == version)
        }
    }

    @Test func `Each configuration key of a staff account affects a request`() async throws {
        let server = try ServiceRecorder()
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let secret = fixture.daemon.directory.file("secret")
            try "s3cret".write(toFile: secret, atomically: true, encoding: .utf8)
            try fixture.daemon.configure(
                """
                kind: staff
                api_url: \(server.url)
                issuer: \(server.url)/issuer
                client_id: told
                client_secret_file: \(secret)
                scopes: ["conversations:read", "messages:write"]
                secrets: file
                questions: false

                """)
            try await fixture.daemon.start()
            let run = try await fixture.daemon.ctl("signin", "--method", "client")
            #expect(run.code == 0, "\(run.error)")
            try await fixture.daemon.waitUntilConnected()
            let basic = "Basic " + Data("told:s3cret".utf8).base64EncodedString()
            try server.expect([
                Row("issuer", ServiceRecorder.metadata, .header("Accept"), "application/json"),
                Row("client_id", ServiceRecorder.token, .header("Authorization"), basic),
                Row("client_secret_file", ServiceRecorder.token, .header("Authorization"), basic),
                Row("scopes", ServiceRecorder.token, .form("scope"), "conversations:read messages:write"),
                Row("kind", ScriptedAPI.list, .header("Authorization"), "Bearer access-1"),
            ])
            #expect(server.requests(of: ScriptedAPI.list).allSatisfy { $0.values(of: "X-Device-ID").isEmpty })
        }
    }

    @Test func `Every method of the access interface that needs the API sends a request`() async throws {
        let server = try ServiceRecorder()
        let keys = (1...2).map { _ in UUID().uuidString.lowercased() }
        try await EndToEndFixture.with { fixture in
            async let configured: Ignored = fixture.daemon.access.call(
                "Configure",
                [
                    "appId": "app_notes", "apiUrl": server.url, "appName": "Notes",
                    "bundleId": "org.example.Notes",
                ])
            try await fixture.daemon.answerApp("allow")
            _ = try await configured
            try await fixture.app("SetAppMetadata", ["version": "2.1", "build": "7"])
            try await fixture.app("SetUser", ["userId": "u-9", "userName": "Bob"])
            try await fixture.daemon.waitUntilConnected()
            try await fixture.app(
                "CreateConversation",
                ["category": "bug", "title": "Export", "message": "It fails", "idempotencyKey": keys[0]])
            try await eventually("a conversation") {
                try await fixture.daemon.fetchInbox().contains {
                    $0.conversationId == "c" && $0.account == "notes"
                }
            }
            try await fixture.app("MarkRead", ["conversation": "c"])
            try await fixture.app(
                "SendMessage", ["conversation": "c", "message": "Still", "idempotencyKey": keys[1]])
            try await fixture.app("AppCode", [:])
            try await fixture.app("RegisterPush", ["token": pushToken])
            try await eventually("the read is sent") {
                !server.requests(of: ServiceRecorder.read).isEmpty
            }
            try server.expect([
                Row("Configure", ScriptedAPI.register, .header("X-App-ID"), "app_notes"),
                Row("Configure", ScriptedAPI.register, .field("app_id"), "app_notes"),
                Row("Configure", ServiceRecorder.push, .field("bundle_id"), "org.example.Notes"),
                Row("SetAppMetadata", ServiceRecorder.create, .field("app_version"), "2.1 (7)"),
                Row("SetAppMetadata", ServiceRecorder.push, .field("app_version"), "2.1 (7)"),
                Row("RegisterPush", ServiceRecorder.push, .field("push_token"), pushToken),
                Row("SetUser", ServiceRecorder.create, .field("user_id"), "u-9"),
                Row("SetUser", ServiceRecorder.create, .field("user_name"), "Bob"),
                Row("SetUser", ScriptedAPI.message, .field("user_name"), "Bob"),
                Row("CreateConversation", ServiceRecorder.create, .field("category"), "bug"),
                Row("CreateConversation", ServiceRecorder.create, .field("title"), "Export"),
                Row("CreateConversation", ServiceRecorder.create, .field("initial_message"), "It fails"),
                Row("CreateConversation", ServiceRecorder.create, .header("Idempotency-Key"), keys[0]),
                Row("SendMessage", ScriptedAPI.message, .field("message"), "Still"),
                Row("SendMessage", ScriptedAPI.message, .header("Idempotency-Key"), keys[1]),
                Row("MarkRead", ServiceRecorder.read, .field("up_to"), "m1"),
                Row("AppCode", ServiceRecorder.handOver, .field("app_id"), "app_notes"),
            ])
        }
    }

    /// A key or method that is missing in the tables must be tested in another file, or must not affect
    /// requests.
    @Test func `The test tables cover every configuration key and every method`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let rows = Set(source.matches(of: /Row\("(\w+)"/).map { String($0.1) })
        let configuration = try repositoryFile("config/config.yaml")
        let accountKeys = configuration.components(separatedBy: "# -- More accounts")[0]
        let keys = Set(accountKeys.matches(of: /\n#([a-z_]+):/).map { String($0.1) })
        let interface = try repositoryFile("Sources/Core/AccessAPI/io.cutied.Access.varlink")
        let methods = Set(interface.matches(of: /\nmethod (\w+)\(/).map { String($0.1) })
        #expect(keys.count > 15 && methods.count > 15)
        #expect(keys.union(methods).subtracting(rows).subtracting(elsewhere.keys).subtracting(local) == [])
        for (name, file) in elsewhere {
            #expect(try repositoryFile(file).lowercased().contains(name.lowercased()), "\(name)")
        }
    }

    private let elsewhere = [
        "attestation": "Tests/EndToEndTests/AttestationTests.swift",
        "tls": "Tests/HTTPTests/CertificateTests.swift",
        "AppOpen": "Tests/EndToEndTests/FailingOpenerTests.swift",
        "ConfirmLink": "Tests/DaemonTests/UninterruptedWorkTests.swift",
        "InitiateLink": "Tests/SDKPrograms/Programs.swift",
        "LinkStatus": "Tests/SDKPrograms/Programs.swift",
        "LinkedDevices": "Tests/SDKPrograms/Programs.swift",
        "UnlinkDevice": "Tests/SDKPrograms/Programs.swift",
        "SetConsent": "Tests/DaemonTests/HostAppTests.swift",
        "RequestConsent": "Tests/DaemonTests/HostAppTests.swift",
        "AuthorizeProtocols": "Tests/DaemonTests/ServiceAccessTests.swift",
        "RevokeToken": "Tests/DaemonTests/ServiceRevocationTests.swift",
    ]
    private let local: Set = [
        "notify", "transport", "poll_interval", "ListConversations", "GetConversation", "ClearBadge", "Watch",
        "OpenInbox", "OpenForm", "AppInstalled",
    ]
}
