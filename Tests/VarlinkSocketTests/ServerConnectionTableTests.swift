import TestSupport
import Testing
import Varlink
import VarlinkSocket

@Suite(.timeLimit(.minutes(2))) struct ServerConnectionTableTests {
    private let echo = "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"x\"}}\0"
    private let flood = "{\"method\":\"org.example.test.Flood\",\"more\":true}\0"

    @Test func `The server answers calls on more than a thousand simultaneous connections`() async throws {
        try #require(OpenFileLimit.raise(to: 4096) >= 4096, "the hard limit of open files is too low")
        try await RunningServer.with(limits: ServerLimits(connections: 1100)) { server in
            let peers = try (0..<1100).map { _ in try RawPeer(server.path) }
            for peer in peers { try await peer.send(echo) }
            for peer in peers { #expect(try await peer.message() == #"{"parameters":{"text":"x"}}"#) }
            #expect(server.service.now.notices.isEmpty)
        }
    }

    @Test func `The connection with the longest idle time is closed if the connection table is full`()
        async throws
    {
        try await RunningServer.with(limits: ServerLimits(connections: 3)) { server in
            let first = try RawPeer(server.path), second = try RawPeer(server.path)
            let third = try RawPeer(server.path)
            // The connections become idle in this order. A complete call counts as activity, but a part of a
            // call does not.
            for peer in [third, first, second] {
                try await peer.send(echo)
                #expect(try await peer.message() != nil)
            }
            try await third.send("{\"met")
            let fourth = try RawPeer(server.path)
            try await third.end()
            for peer in [fourth, first, second] {
                try await peer.send(echo)
                #expect(try await peer.message() != nil)
            }
        }
    }

    @Test func `A connection with a running stream is closed only if there is no other connection`()
        async throws
    {
        try await RunningServer.with(limits: ServerLimits(connections: 2)) { server in
            let stream = try RawPeer(server.path)
            try await stream.send(flood)
            try await eventually("the stream runs") { server.service.now.flooded > 0 }
            let idle = try RawPeer(server.path)
            try await idle.send(echo)
            #expect(try await idle.message() != nil)

            let second = try RawPeer(server.path)
            try await idle.end()
            #expect(server.service.now.cancelled == 0)
            try await second.send(flood)
            #expect(try await second.message() != nil)

            let third = try RawPeer(server.path)
            try await eventually("the older stream is cancelled") { server.service.now.cancelled == 1 }
            try await third.send(echo)
            #expect(try await third.message() != nil)
        }
    }
}
