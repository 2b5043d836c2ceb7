import Foundation
import TestSupport
import Testing
import Varlink
import VarlinkSocket

@Suite(.timeLimit(.minutes(2))) struct LifeTests {
    @Test func `Cancelling a server cancels its handlers, closes all connections and removes the socket`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let service = ExampleService()
        let server = Server(
            listener: try ListeningSocket(bindingTo: path), service: try service.served())
        let peer = try RawPeer(path), idle = try RawPeer(path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            try await peer.send("{\"method\":\"org.example.test.Suspend\"}\0")
            try await eventually("the handler waits") { service.now.suspended == 1 }
            group.cancelAll()
        }
        #expect(service.now.cancelled == 1)
        try await peer.end()
        try await idle.end()
        #expect(peer.received.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
        await #expect(throws: SocketFailure.alreadyRun) { try await server.run() }
    }

    @Test func `A missing server, a lost connection and a timeout cause different errors`() async throws {
        let directory = try TemporaryDirectory()
        let nobody = directory.file("nobody")
        await #expect(throws: SocketFailure.notRunning(path: nobody)) { _ = try await Client(path: nobody) }

        try await RunningServer.with { server in
            let client = try await server.client()
            await #expect(throws: SocketFailure.timedOut) {
                try await client.call(Example.Suspend(), timeout: .milliseconds(20))
            }
            // The reply arrives after the call has timed out, and must not become the reply of the next call.
            server.service.releaseOne()
            await #expect(throws: SocketFailure.peerDisconnected) {
                try await client.call(Example.Echo(text: "x"))
            }
        }
    }

    @Test func `A client that waits for a reply gets an error when the server stops`() async throws {
        let limits = ServerLimits(connections: 1)
        try await RunningServer.with(limits: limits) { server in
            let client = try await server.client()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: SocketFailure.peerDisconnected) {
                        try await client.call(Example.Suspend())
                    }
                }
                try await eventually("the handler is suspended") { server.service.now.suspended == 1 }
                let next = try RawPeer(server.path)
                try await group.waitForAll()
                withExtendedLifetime(next) {}
            }
            server.service.releaseOne()
        }
    }

    @Test func `A cancelled call returns without waiting for the reply`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) { try await client.call(Example.Suspend()) }
                }
                try await eventually("the handler is suspended") { server.service.now.suspended == 1 }
                group.cancelAll()
            }
            server.service.releaseOne()
        }
    }
}
