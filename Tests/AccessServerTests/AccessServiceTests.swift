import AccessAPI
import Domain
import Foundation
import TestSupport
import Testing
import Varlink
import VarlinkSocket

@testable import AccessServer
@testable import Reasons

/// Tests of the calls that an app may make on the access socket, and of their limits.
@MainActor @Suite(.timeLimit(.minutes(2))) struct AccessServiceTests {
    private let request = AuthorizeProtocols(
        clientId: "client", appId: "org.example.Notes", appName: "Notes", protocols: ["com.example.notes"])

    @Test func `A refusal is reported after at least one second, and an approval is reported immediately`()
        async throws
    {
        try await AccessFixture.with { fixture in
            fixture.apps.services = []
            let reply = Task { [request] in try await fixture.call(request) }
            try await eventually("the refusal is delayed") { !fixture.time.sleeping.isEmpty }
            #expect(fixture.time.sleeping == [.seconds(1)])
            fixture.time.wake()
            #expect(try await reply.value.services.isEmpty)

            fixture.apps.services = [AccessFixture.service]
            let other = try await fixture.call(request)
            #expect(other.services.count == 1)
            #expect(fixture.time.sleeping.isEmpty)
        }
    }

    @Test func `A refusal is not delayed if the user took more than a second to refuse`()
        async throws
    {
        try await AccessFixture.with { fixture in
            fixture.apps.services = []
            fixture.apps.thinks = .seconds(2)
            let reply = try await fixture.call(request)
            #expect(reply.services.isEmpty)
            #expect(fixture.time.sleeping.isEmpty)
        }
    }

    @Test func `Concurrent identical requests cause a single question and get the same answer`() async throws
    {
        try await AccessFixture.with { fixture in
            fixture.apps.services = [AccessFixture.service]
            fixture.apps.waits = true
            let replies = (0..<3).map { _ in
                Task { [request] in try await fixture.call(request).services.count }
            }
            try await eventually("one request asks, the other requests wait") { fixture.apps.waiting == 1 }
            var other = request
            other.protocols = ["com.example.other"]
            await #expect(throws: TooManyRequests.self) { try await fixture.call(other) }
            fixture.apps.answer()
            for reply in replies { #expect(try await reply.value == 1) }
            #expect(fixture.apps.asked == 1)
            // A request for other protocols is allowed again, because the first question has been answered.
            fixture.apps.waits = false
            #expect(try await fixture.call(other).services.count == 1)
            #expect(fixture.apps.asked == 2)
        }
    }

    @Test func `An identical request from another app causes a separate question`() async throws {
        try await AccessFixture.with { fixture in
            fixture.apps.services = [AccessFixture.service]
            fixture.apps.waits = true
            // Any unverified program can use the same app ID, so the two programs must not share an answer.
            fixture.app = AccessFixture.program("/usr/bin/first")
            let first = Task { [request] in try await fixture.call(request) }
            try await eventually("the first request waits") { fixture.apps.waiting == 1 }
            fixture.app = AccessFixture.program("/usr/bin/second")
            let second = Task { [request] in try await fixture.call(request) }
            try await eventually("both requests wait") { fixture.apps.waiting == 2 }
            fixture.apps.answer()
            _ = try await (first.value, second.value)
            #expect(fixture.apps.asked == 2)
        }
    }

    @Test func `An app that exceeds the call limit gets an error, and other apps are not affected`()
        async throws
    {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            for _ in 0..<60 { #expect(try await client.call(AppInstalled()).installed) }
            await #expect(throws: TooManyRequests.self) { try await client.call(AppInstalled()) }
            #expect(fixture.apps.calls == 60)
            // Opening a new connection does not reset the limit.
            await #expect(throws: TooManyRequests.self) { try await fixture.call(AppInstalled()) }
            fixture.app = fixture.other
            #expect(try await fixture.call(AppInstalled()).installed)
            fixture.app = fixture.notes
            fixture.time.now += .seconds(1)
            #expect(try await fixture.call(AppInstalled()).installed)
        }
    }

    @Test func `An app that exceeds the byte limit gets an error`() async throws {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            let words = String(repeating: "x", count: 1 << 20)
            for _ in 0..<3 {
                _ = try await client.call(CreateConversation(category: "bug", message: words))
            }
            await #expect(throws: TooManyRequests.self) {
                try await client.call(CreateConversation(category: "bug", message: words))
            }
            await #expect(throws: InvalidArgument.self) {
                try await client.call(CreateConversation(category: String(words.prefix(2000)), message: "x"))
            }
        }
    }

    private static func falseClaim(_ parameter: String) -> InvalidArgument {
        InvalidArgument(
            parameter: parameter, reason: "the system identifies this app as org.example.Notes",
            reasonCode: "other_app",
            reasonArguments: ["app": "org.example.Notes"])
    }

    @Test
    func `A request with an app ID that differs from the verified app ID is refused without asking the user`()
        async throws
    {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            let wrong = "org.example.Bank"
            await #expect(throws: Self.falseClaim("bundleId")) {
                try await client.call(Configure(appId: "app_1", bundleId: wrong, appName: "Bank"))
            }
            await #expect(throws: Self.falseClaim("bundleId")) {
                try await client.call(SetAppMetadata(bundleId: wrong))
            }
            var forged = request
            forged.appId = wrong
            await #expect(throws: Self.falseClaim("appId")) {
                try await client.call(forged)
            }
            #expect(fixture.apps.asked == 0)
            _ = try await client.call(
                Configure(appId: "app_1", bundleId: "org.example.Notes", appName: "Notes"))
            #expect(fixture.apps.asked == 1)
        }
    }

    @Test func `Calls from all apps are refused while access is disabled`()
        async throws
    {
        try await AccessFixture.with { fixture in
            fixture.isEnabled = false
            await #expect(throws: NotAllowed.self) { try await fixture.call(AppInstalled()) }
            #expect(fixture.apps.calls == 0)
            fixture.isEnabled = true
            let isAnswered = try await fixture.isAnswered()
            #expect(isAnswered)
        }
    }

    @Test func `The access socket offers only the interface for apps`() async throws {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            let info = try await client.call(ServiceInterface.GetInfo())
            #expect(info.interfaces == ["org.varlink.service", AccessInterface.name])
        }
    }

    @Test func `An internal error is reported to an app without its details`() async throws {
        try await AccessFixture.with { fixture in
            struct Secret: Error {}
            fixture.apps.failure = Secret()
            let failed = Failed(reason: "internal error of the daemon; see its journal")
            await #expect(throws: failed) { try await fixture.call(request) }
        }
    }

    private struct RawError: Decodable {
        let reason: String
        let reasonCode: String?
        let reasonArguments: [String: String]?
    }

    /// Makes the next call fail with `error`. Returns the name and the fields of the error that the client
    /// received, and whether the error was logged.
    private func received(
        _ error: any Error
    ) async throws -> (name: String, fields: RawError, isLogged: Bool) {
        var raw: UnknownFault?
        var isLogged = false
        try await AccessFixture.with { fixture in
            fixture.apps.failure = error
            let client = try await fixture.client(faults: [])
            raw = await #expect(throws: UnknownFault.self) { try await client.call(request) }
            isLogged = !fixture.reported.value.isEmpty
        }
        let fault = try #require(raw)
        let fields = try JSONDecoder().decode(RawError.self, from: Data(fault.parametersJSON))
        return (fault.name, fields, isLogged)
    }

    private nonisolated static let reason = Reason(
        .reasonOfHost, ["host": "api.example.org"], because: Reason(.appIDRefused, ["app": "app_1"]))

    @Test(arguments: [
        ("InvalidArgument", ServiceError.invalidArgument(parameter: "appId", reason: reason)),
        ("NotAuthorized", .notAuthorized(reason: reason)), ("NotAuthorized", .signInRequired(reason: reason)),
        ("Offline", .offline(reason: reason)), ("NotOffered", .notOffered(reason: reason)),
        ("Refused", .refused(status: 422, reason: reason)),
        ("Refused", .notSent(outboxId: "1", cause: .refused, reason: reason)),
        ("Refused", .notSent(outboxId: "1", cause: .notFound, reason: reason)),
        ("NotAuthorized", .notSent(outboxId: "1", cause: .notAuthorized, reason: reason)),
        ("ServerError", .serverError(status: 503, reason: reason)),
        ("ServerError", .invalidResponse(reason: reason)), ("NotAllowed", .accessDenied(reason: reason)),
        ("NotAllowed", .unanswered(reason: reason)), ("Failed", .failed(reason: reason)),
    ])
    func `An error contains the code and the arguments of its reason`(
        name: String, error: ServiceError
    ) async throws {
        let (received, fields, isLogged) = try await received(error)
        #expect(!isLogged)
        #expect(received == "io.cutied.Access." + name)
        #expect(fields.reason == Self.reason.english && fields.reasonCode == "reason_of_host")
        let arguments = try #require(fields.reasonArguments)
        #expect(arguments["host"] == "api.example.org" && arguments["reason.code"] == "app_id_refused")
        #expect(arguments["reason.app"] == "app_1")
    }

    @Test func `An error whose reason is a message from the server has no reason code`() async throws {
        let fields = try await received(ServiceError.refused(status: 422, reason: .text("too rude"))).fields
        #expect(fields.reason == "too rude" && fields.reasonCode == nil && fields.reasonArguments == nil)
    }

    @Test(arguments: Reason.Code.allCases.filter { $0.definition.isPrivate })
    func `If the reason of an error is private, the error is logged and the app gets a generic error`(
        code: Reason.Code
    )
        async throws
    {
        let reason = Reason(code, Dictionary(uniqueKeysWithValues: code.placeholders.map { ($0, "bank") }))
        let nested = Reason(.reasonOfHost, ["host": "api.example.org"], because: reason)
        for reason in [reason, nested] {
            let (_, fields, isLogged) = try await received(ServiceError.failed(reason: reason))
            #expect(isLogged)
            #expect(fields.reason == "internal error of the daemon; see its journal")
            #expect(fields.reasonCode == nil && fields.reasonArguments == nil)
        }
    }

    @Test(arguments: [
        AuthorizeProtocols(protocols: []), AuthorizeProtocols(protocols: [""]),
        AuthorizeProtocols(protocols: Array(repeating: "p", count: 65)), AuthorizeProtocols(protocols: ["p"]),
        AuthorizeProtocols(clientId: "a", protocols: ["p"], client_id: "b"),
        AuthorizeProtocols(protocols: [String(repeating: "x", count: 1025)]),
    ])
    func `The error for an invalid request has the code and the arguments of its message`(
        call: AuthorizeProtocols
    ) async throws {
        try await AccessFixture.with { fixture in
            let error = await #expect(throws: InvalidArgument.self) { try await fixture.call(call) }
            let reason = Reason(text: "", code: error?.reasonCode, arguments: error?.reasonArguments)
            #expect(reason.code != nil && reason.english == error?.reason)
        }
    }

    @Test func `The error for a parameter that is too long has a reason code and arguments`() async throws {
        try await AccessFixture.with { fixture in
            let error = await #expect(throws: InvalidArgument.self) {
                try await fixture.call(ClearBadge(conversation: String(repeating: "x", count: 1025)))
            }
            let reason = Reason(
                text: "", code: error?.reasonCode, arguments: error?.reasonArguments)
            #expect(reason == Reason(.valueTooLong, ["limit": "1 KiB"]) && reason.english == error?.reason)
        }
    }
}

struct TokenBucketTests {
    @Test func `The rate limiter refills its tokens over time, up to its capacity`() {
        var bucket = RequestRateLimiter(capacity: 2, perSecond: 1, now: .zero)
        let tries: [(cost: Double, at: Duration)] = [
            (2, .zero), (1, .milliseconds(900)), (1, .seconds(1)), (3, .seconds(1000)), (2, .seconds(1000)),
            // A clock that is set back adds no tokens.
            (1, .seconds(999)),
        ]
        let taken = tries.map { bucket.consumeTokens($0.cost, now: $0.at) }
        #expect(taken == [true, false, true, false, true, false])
    }
}
