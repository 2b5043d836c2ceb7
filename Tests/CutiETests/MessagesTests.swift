import AccessAPI
import Foundation
import TestSupport
import Testing

@testable import CutiE

/// Tests of the asynchronous sequence of replies, including restarts of the daemon.
struct MessagesTests {
    private let server: FakeAccessServer
    private let cutiE: CutiE

    init() throws {
        server = try FakeAccessServer()
        cutiE = CutiE(socket: server.socket)
    }

    @Test
    func `A reply that arrives between "configure" and the first iteration of the sequence is delivered`()
        async throws
    {
        server.addMessage("Of yesterday", in: "conv_1")
        try await server.running {
            try await cutiE.configured()
            #expect(cutiE.unreadCount == 1)
            server.addMessage("Of today", in: "conv_1")
            var messages = cutiE.messages.makeAsyncIterator()
            #expect(try await messages.next()?.message == "Of today")
            #expect(cutiE.unreadCount == 2)
        }
    }

    @Test func `The user's own messages are not delivered as replies`() async throws {
        try await server.running {
            try await cutiE.configured()
            var messages = cutiE.messages.makeAsyncIterator()
            server.addMessage("Mine", in: "conv_1", own: true)
            server.sendEntry(.badge, badge: 7)
            server.sendEntry(.reset)
            server.sendEntry(.conversation)
            server.addMessage("Yours", in: "conv_1")
            let message = try #require(try await messages.next())
            #expect((message.message, message.senderName, message.senderType) == ("Yours", "Mia", .admin))
        }
    }

    @Test func `A restart of the daemon neither loses nor repeats a reply`() async throws {
        var messages = cutiE.messages.makeAsyncIterator()
        try await server.running {
            try await cutiE.configured()
            messages = cutiE.messages.makeAsyncIterator()
            server.addMessage("1", in: "conv_1")
            try await expectNext("1", from: &messages)
        }
        server.addMessage("2", in: "conv_1")
        try await server.running {
            try await expectNext("2", from: &messages)
            server.addMessage("3", in: "conv_1")
            try await expectNext("3", from: &messages)
        }
    }

    @Test func `The sequence of replies ends when the user revokes access`() async throws {
        try await server.running {
            try await cutiE.configured()
            server.refuse(Watch.self, with: NotConfigured())
            var messages = cutiE.messages.makeAsyncIterator()
            await #expect(throws: CutiEError.notConfigured) { try await messages.next() }
            #expect(!cutiE.isConfigured)
        }
    }

    @Test func `The sequence of replies ends after an error that no restart of the daemon can resolve`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let elsewhere = CutiE(socket: directory.file("access.sock"))
        try await server.running {
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("access.sock"), withDestinationPath: server.socket)
            try await elsewhere.configured()
        }
        try FileManager.default.removeItem(atPath: directory.file("access.sock"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("access.sock"), withDestinationPath: directory.file("access.sock"))
        var messages = elsewhere.messages.makeAsyncIterator()
        await #expect(throws: CutiEError.self) { try await messages.next() }
    }

    @Test func `Two tasks that iterate over the sequence of replies both receive every reply`() async throws {
        try await server.running {
            try await cutiE.configured()
            var (one, other) = (cutiE.messages.makeAsyncIterator(), cutiE.messages.makeAsyncIterator())
            server.addMessage("To all", in: "conv_1")
            #expect(try await one.next()?.message == "To all")
            #expect(try await other.next()?.message == "To all")
        }
    }

    @Test func `The sequence of replies ends when the iterating task is cancelled`() async throws {
        try await server.running {
            try await cutiE.configured()
            let loop = Task { for try await _ in cutiE.messages {} }
            try await eventually("the second watch begins") { try server.received(Watch.self).count >= 2 }
            loop.cancel()
            await #expect(throws: CancellationError.self) { try await loop.value }
        }
    }

    private func expectNext(_ text: String, from messages: inout Messages.Iterator) async throws {
        let next = try await messages.next()
        #expect(next?.message == text)
    }
}
