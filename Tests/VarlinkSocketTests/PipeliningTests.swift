import TestSupport
import Testing
import Varlink
import VarlinkSocket

@Suite(.timeLimit(.minutes(2))) struct PipeliningTests {
    private func echo(_ text: String, _ flags: String = "") -> String {
        "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"\(text)\"}\(flags)}\0"
    }

    @Test func `Pipelined calls are answered in order, even if the first call is slow`() async throws {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            try await peer.send("{\"method\":\"org.example.test.Suspend\"}\0" + echo("a") + echo("b"))
            try await eventually("the handler of the first call is suspended") {
                server.service.now.suspended == 1
            }
            #expect(server.service.now.echoed.isEmpty)
            server.service.releaseOne()
            #expect(try await peer.message() == #"{"parameters":{}}"#)
            #expect(try await peer.message() == #"{"parameters":{"text":"a"}}"#)
            #expect(try await peer.message() == #"{"parameters":{"text":"b"}}"#)
        }
    }

    @Test func `A oneway call is executed without a reply, even if the peer has disconnected`() async throws {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            try await peer.send(echo("one", ",\"oneway\":true") + echo("two"))
            #expect(try await peer.message() == #"{"parameters":{"text":"two"}}"#)
            #expect(server.service.now.echoed == ["one", "two"])

            try await RawPeer(server.path).send(
                echo("three", ",\"oneway\":true") + echo("four", ",\"oneway\":true"))
            try await eventually("both calls were executed") { server.service.now.echoed.count == 4 }

            let client = try await server.client()
            try await client.send(oneway: Example.Fail(how: "fault"))
            #expect(try await client.call(Example.Echo(text: "five")).text == "five")
        }
    }

    @Test func `A peer that has shut down its sending side still gets the replies`() async throws {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            try await peer.send(
                "{\"method\":\"org.example.test.Count\",\"more\":true,\"parameters\":{\"to\":2}}\0"
                    + echo("x"))
            peer.endSending()
            #expect(try await peer.message() == #"{"parameters":{"number":0},"continues":true}"#)
            #expect(try await peer.message() == #"{"parameters":{"number":1},"continues":true}"#)
            #expect(try await peer.message() == #"{"parameters":{"number":2}}"#)
            #expect(try await peer.message() == #"{"parameters":{"text":"x"}}"#)
            #expect(try await peer.message() == nil)
        }
    }

    @Test func `A call that does not request a stream is completed even if the peer disconnects`()
        async throws
    {
        try await RunningServer.with { server in
            try await RawPeer(server.path).send("{\"method\":\"org.example.test.Suspend\"}\0")
            try await eventually("the handler is suspended") { server.service.now.suspended == 1 }
            server.service.releaseOne()
            try await eventually("the call ends") { server.service.now.resumed == 1 }
        }
    }
}
