import TestSupport
import Testing
import Varlink
import VarlinkSocket

@Suite(.timeLimit(.minutes(2))) struct StreamingTests {
    @Test func `After the last reply of a stream, the connection can be used for other calls`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            var numbers: [Int] = []
            for try await reply in try await client.stream(Example.Count(to: 50)) {
                numbers.append(try reply.value.number)
            }
            #expect(numbers == Array(0...50))
            #expect(try await client.call(Example.Echo(text: "next")).text == "next")
        }
    }

    @Test func `A method with a single reply sends one reply, even if the call has the flag "more"`()
        async throws
    {
        try await RunningServer.with { server in
            let client = try await server.client()
            var texts: [String] = []
            for try await reply in try await client.stream(Example.Echo(text: "x")) {
                texts.append(String(decoding: reply.json, as: UTF8.self))
            }
            #expect(texts == [#"{"text":"x"}"#])
        }
    }

    @Test func `An error ends a stream, and the connection remains open`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            var count = 0
            await #expect(throws: Example.Broken(reason: "too far")) {
                for try await _ in try await client.stream(Example.Count(to: 101)) { count += 1 }
            }
            #expect(count == 101)
            #expect(try await client.call(Example.Echo(text: "next")).text == "next")
        }
    }

    @Test func `A stream that is closed before the final reply fails`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            await #expect(throws: SocketFailure.peerDisconnected) {
                for try await _ in try await client.stream(Example.Count(to: -1)) {}
            }
        }
    }

    @Test func `A waiting handler is cancelled when the peer disconnects`() async throws {
        try await RunningServer.with { server in
            var peer: RawPeer? = try RawPeer(server.path)
            // The second call is already buffered. The server must still detect that the peer has
            // disconnected.
            try await peer?.send(
                "{\"method\":\"org.example.test.Flood\",\"more\":true}\0{\"method\":\"a.b.C\"}\0")
            try await eventually("the stream has filled the socket") { server.service.now.flooded > 0 }
            peer = nil
            try await eventually("the handler was cancelled") { server.service.now.cancelled == 1 }
        }
    }

    @Test func `A peer that does not read its replies blocks only its own stream`() async throws {
        try await RunningServer.with { server in
            let lazy = try RawPeer(server.path)
            try await lazy.send("{\"method\":\"org.example.test.Flood\",\"more\":true}\0")
            let client = try await server.client()
            var before = -1
            try await eventually("the server sends nothing more") {
                defer { before = server.service.now.flooded }
                let served = try await client.call(Example.Echo(text: "served"))
                #expect(served.text == "served")
                return server.service.now.flooded > 0 && server.service.now.flooded == before
            }
            // The replies are in the socket buffer and not in the server's memory, so their number is
            // limited.
            #expect(server.service.now.flooded < 100)
            #expect(server.service.now.cancelled == 0)
            #expect(try await lazy.message()?.count ?? 0 > 65536)
        }
    }

    @Test func `A call on a connection with a running stream is refused`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            let stream = try await client.stream(Example.Flood())
            await #expect(throws: SocketFailure.inUse) { try await client.call(Example.Echo(text: "x")) }
            withExtendedLifetime(stream) {}
        }
    }
}
