import AccessAPI
import TestSupport
import Testing
import Varlink
import VarlinkSocket

@testable import AccessServer

/// What any app may do at the access socket, and what it may cost.
@MainActor @Suite(.timeLimit(.minutes(2))) struct AccessServiceTests {
    private let request = AuthorizeProtocols(
        clientId: "client", appId: "org.example.Notes", appName: "Notes", protocols: ["com.example.notes"])

    @Test func `A no comes no sooner than a second, a yes at once`() async throws {
        try await AccessFixture.with { fixture in
            fixture.apps.services = []
            let reply = Task { [request] in try await fixture.call(request) }
            try await eventually("the answer is kept back") { !fixture.time.sleeping.isEmpty }
            #expect(fixture.time.sleeping == [.seconds(1)])
            fixture.time.wake()
            #expect(try await reply.value.services.isEmpty)

            fixture.apps.services = [AccessFixture.service]
            let other = try await fixture.call(request)
            #expect(other.services.count == 1)
            #expect(fixture.time.sleeping.isEmpty)
        }
    }

    @Test func `A no after a second of thought is not kept back`() async throws {
        try await AccessFixture.with { fixture in
            fixture.apps.services = []
            fixture.apps.thinks = .seconds(2)
            let reply = try await fixture.call(request)
            #expect(reply.services.isEmpty)
            #expect(fixture.time.sleeping.isEmpty)
        }
    }

    @Test func `The same question, asked again meanwhile, shares its answer`() async throws {
        try await AccessFixture.with { fixture in
            fixture.apps.services = [AccessFixture.service]
            fixture.apps.waits = true
            let replies = (0..<3).map { _ in
                Task { [request] in try await fixture.call(request).services.count }
            }
            try await eventually("one is asked, the others wait") { fixture.apps.waiting == 1 }
            var other = request
            other.protocols = ["com.example.other"]
            await #expect(throws: TooManyRequests.self) { try await fixture.call(other) }
            fixture.apps.answer()
            for reply in replies { #expect(try await reply.value == 1) }
            #expect(fixture.apps.asked == 1)
            // It is over: the next one is asked again.
            fixture.apps.waits = false
            #expect(try await fixture.call(other).services.count == 1)
            #expect(fixture.apps.asked == 2)
        }
    }

    @Test func `Another app's same question is a question of its own`() async throws {
        try await AccessFixture.with { fixture in
            fixture.apps.services = [AccessFixture.service]
            fixture.apps.waits = true
            // Of a program that nobody vouches for no id contradicts.
            fixture.app = AccessFixture.program("/usr/bin/first")
            let first = Task { [request] in try await fixture.call(request) }
            try await eventually("the first is asked") { fixture.apps.waiting == 1 }
            fixture.app = AccessFixture.program("/usr/bin/second")
            let second = Task { [request] in try await fixture.call(request) }
            try await eventually("the second is asked, too") { fixture.apps.waiting == 2 }
            fixture.apps.answer()
            _ = try await (first.value, second.value)
            #expect(fixture.apps.asked == 2)
        }
    }

    @Test func `An app that calls too often is told so, and no other app is`() async throws {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            for _ in 0..<60 { #expect(try await client.call(AppInstalled()).installed) }
            await #expect(throws: TooManyRequests.self) { try await client.call(AppInstalled()) }
            #expect(fixture.apps.calls == 60)
            // A connection of its own does not help.
            await #expect(throws: TooManyRequests.self) { try await fixture.call(AppInstalled()) }
            fixture.app = fixture.other
            #expect(try await fixture.call(AppInstalled()).installed)
            fixture.app = fixture.notes
            fixture.time.now += .seconds(1)
            #expect(try await fixture.call(AppInstalled()).installed)
        }
    }

    @Test func `An app that sends too much is told so`() async throws {
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

    @Test func `An id that contradicts the system reaches nobody`() async throws {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            let wrong = "org.example.Bank"
            await #expect(
                throws: InvalidArgument(parameter: "bundleId", reason: "this app is org.example.Notes")
            ) {
                try await client.call(Configure(appId: "app_1", bundleId: wrong, appName: "Bank"))
            }
            await #expect(
                throws: InvalidArgument(parameter: "bundleId", reason: "this app is org.example.Notes")
            ) {
                try await client.call(SetAppMetadata(bundleId: wrong))
            }
            var forged = request
            forged.appId = wrong
            await #expect(
                throws: InvalidArgument(parameter: "appId", reason: "this app is org.example.Notes")
            ) {
                try await client.call(forged)
            }
            #expect(fixture.apps.asked == 0)
            _ = try await client.call(
                Configure(appId: "app_1", bundleId: "org.example.Notes", appName: "Notes"))
            #expect(fixture.apps.asked == 1)
        }
    }

    @Test func `Turned off, it answers no app, and turned on again, all`() async throws {
        try await AccessFixture.with { fixture in
            fixture.isEnabled = false
            await #expect(throws: NotAllowed.self) { try await fixture.call(AppInstalled()) }
            #expect(fixture.apps.calls == 0)
            fixture.isEnabled = true
            let isAnswered = try await fixture.isAnswered()
            #expect(isAnswered)
        }
    }

    @Test func `Nothing but the interface for apps is there`() async throws {
        try await AccessFixture.with { fixture in
            let client = try await fixture.client()
            let info = try await client.call(ServiceInterface.GetInfo())
            #expect(info.interfaces == ["org.varlink.service", AccessInterface.name])
        }
    }

    @Test func `What goes wrong inside is no app's business`() async throws {
        try await AccessFixture.with { fixture in
            struct Secret: Error {}
            fixture.apps.failure = Secret()
            let failed = Failed(reason: "the daemon could not do it; its journal says why")
            await #expect(throws: failed) { try await fixture.call(request) }
        }
    }
}

struct TokenBucketTests {
    @Test func `Tokens come back with time, and never more than there is room for`() {
        var bucket = TokenBucket(capacity: 2, perSecond: 1, now: .zero)
        let tries: [(cost: Double, at: Duration)] = [
            (2, .zero), (1, .milliseconds(900)), (1, .seconds(1)), (3, .seconds(1000)), (2, .seconds(1000)),
            // A clock that goes back gives nothing.
            (1, .seconds(999)),
        ]
        let taken = tries.map { bucket.take($0.cost, now: $0.at) }
        #expect(taken == [true, false, true, false, true, false])
    }
}
