import AccessAPI
import Foundation
import TestSupport
import Testing
import Varlink

@testable import CutiE

/// Tests that failures are converted to the error types of the SDK.
struct ErrorTests {
    @Test
    func `If no daemon is running, the error names the package to install and the command that starts it`()
        async throws
    {
        let cutiE = CutiE(socket: "/nowhere/access.sock")
        let error = await #expect(throws: CutiEError.self) { try await cutiE.configured() }
        guard case .networkError(let cause) = error else { return #expect(Bool(false), "\(error as Any)") }
        let sentence = (cause as? ConnectionProblem)?.reason ?? ""
        #expect(sentence.contains("/nowhere/access.sock") && sentence.contains("install the package cutied"))
        #expect(sentence.contains("systemctl --user enable --now cutied-access.socket"))
        #expect(cause.localizedDescription == sentence)
    }

    private static let faults: [(any Fault, CutiEError)] = [
        (NotConfigured(), .notConfigured),
        (NotAuthorized(reason: "no such app"), .invalidAPIKey),
        (Offline(reason: "no network"), .networkError(ConnectionProblem(reason: "no network"))),
        (ServerError(status: 503, reason: "down"), .serverError(503, "down")),
        (Refused(status: 422, reason: "too rude"), .serverError(422, "too rude")),
        (NotAllowed(reason: "no"), .serverError(403, "no")),
        (NotAllowed(reason: "no answer", unanswered: true), .serverError(408, "no answer")),
        (NotFound(what: "conversation", id: "c"), .serverError(404, "there is no conversation c")),
        (Closed(conversation: "c", status: "closed"), .serverError(409, "c is closed")),
        (TooManyRequests(reason: "slower"), .serverError(429, "slower")),
        (Failed(reason: "disk full"), .serverError(500, "disk full")),
        (NotOffered(reason: "not here"), .serverError(501, "not here")),
        (InvalidArgument(parameter: "message", reason: "long"), .invalidRequest),
    ]

    @Test func `Each error of the interface is converted to an error of the SDK`() async throws {
        #expect(Set(Self.faults.map { typeName(type(of: $0.0)) }).count == AccessInterface.faults.count)
        let server = try FakeAccessServer()
        try await server.running {
            for (fault, expected) in Self.faults {
                let cutiE = CutiE(socket: server.socket)
                try await cutiE.configured()
                server.refuse(SendMessage.self, with: fault)
                await #expect(throws: expected) {
                    try await cutiE.submitMessage(conversationId: "c", message: "Hello")
                }
            }
        }
    }

    @Test
    func `Errors without reason codes, and errors with unknown fields and codes, are decoded`()
        throws
    {
        let catalog = FaultCatalog(AccessInterface.faults)
        let older = catalog.makeError(
            named: Offline.name, parametersJSON: Array(#"{"reason":"no network"}"#.utf8))
        #expect(older as? Offline == Offline(reason: "no network"))
        let later = #"{"reason":"none","reasonCode":"of_later","reasonArguments":{"a":"b"},"more":[1]}"#
        let fault = catalog.makeError(named: Failed.name, parametersJSON: Array(later.utf8)) as? Failed
        #expect(fault == Failed(reason: "none", reasonCode: "of_later", reasonArguments: ["a": "b"]))
    }

    @Test func `A response from a daemon with an incompatible version causes a decoding error`() async throws
    {
        let server = try FakeAccessServer()
        try await server.running {
            let cutiE = CutiE(socket: server.socket)
            try await cutiE.configured()
            server.refuse(ClearBadge.self, with: MethodNotFound(method: ClearBadge.name))
            let error = await #expect(throws: CutiEError.self) { try await cutiE.clearBadgeCount() }
            guard case .decodingError(let reason) = error else {
                return #expect(Bool(false), "\(error as Any)")
            }
            #expect(reason?.contains("older") == true)
        }
    }

    @Test func `A request with invalid values is rejected before it is sent`() async throws {
        let server = try FakeAccessServer()
        let cutiE = CutiE(socket: server.socket)
        try await server.running {
            for address in ["http://example.org", "ftp://127.0.0.1", "nonsense", ""] {
                cutiE.configure(appId: "app_1", apiURL: address)
                #expect(!cutiE.isConfigured, "\(address)")
            }
            cutiE.configure(appId: "")
            #expect(!cutiE.isConfigured)
            try await cutiE.configured()
            await #expect(throws: CutiEError.invalidRequest) {
                try await cutiE.submitConversation(category: .bug, message: "")
            }
        }
        #expect(try server.received(CreateConversation.self).isEmpty)
    }

    @Test func `An environment variable sets the path of the socket`() {
        let set = ["XDG_RUNTIME_DIR": "/run/user/7", "CUTIED_ACCESS_SOCKET": ""]
        #expect(AccessClient.standardPath { set[$0] } == "/run/user/7/cutied/access/access.sock")
        #expect(AccessClient.standardPath { _ in "/tmp/a" } == "/tmp/a")
        #expect(AccessClient.standardPath { _ in nil }.hasSuffix("/cutied/access/access.sock"))
    }
}
