import Foundation
import TestSupport
import Testing
import Varlink
import VarlinkSocket

@Suite(.timeLimit(.minutes(2))) struct LimitTests {
    private let refusal =
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"message"}}"#

    @Test func `The connection of a refused peer is closed before the first byte is read`() async throws {
        try await RunningServer.with(policy: PeerPolicy { _ in false }) { server in
            let peer = try RawPeer(server.path)
            try await peer.end()
            #expect(peer.received.isEmpty)
            await #expect(throws: SocketFailure.peerDisconnected) {
                try await server.client().call(Example.Echo(text: "x"))
            }
            #expect(server.service.now.echoed.isEmpty)
            guard case .foreignPeer = server.service.now.notices.first else {
                Issue.record("no notice of the foreign peer")
                return
            }
        }
    }

    @Test func `By default, only the user who runs the server may connect`() {
        let own = PeerPolicy.sameUser
        #expect(own.allows(Peer(uid: effectiveUser, gid: 0, pid: 1)))
        #expect(!own.allows(Peer(uid: effectiveUser + 1, gid: 0, pid: 1)))
    }

    @Test func `A peer policy can check the process of the peer`() async throws {
        let process = ownProcess
        try await RunningServer.with(policy: PeerPolicy { $0.pid == process }) { server in
            let client = try await server.client()
            #expect(try await client.call(Example.Echo(text: "x")).text == "x")
        }
    }

    @Test
    func `A connection is closed after a timeout if its message is incomplete, but not if it is idle`()
        async throws
    {
        try await RunningServer.with(limits: ServerLimits(unfinishedMessage: .milliseconds(50))) { server in
            let silent = try await server.client()
            let half = try RawPeer(server.path)
            try await half.send("{\"method\":")
            try await half.end()
            #expect(half.received.isEmpty)
            #expect(try await silent.call(Example.Echo(text: "x")).text == "x")
            guard case .tooSlow = server.service.now.notices.first else {
                Issue.record("no notice of the slow peer")
                return
            }
        }
    }

    @Test func `A peer that does not read its reply is disconnected after a timeout`() async throws {
        try await RunningServer.with(limits: ServerLimits(unfinishedMessage: .milliseconds(50))) { server in
            let lazy = try RawPeer(server.path)
            try await lazy.send(
                "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":\"x\",\"count\":4000000}}\0")
            try await eventually("the reply is abandoned") { server.service.now.notices.count == 1 }
            try await lazy.end()
            #expect(!lazy.received.contains(0))
        }
    }

    @Test func `A call that the admission check rejects is neither decoded nor passed to its handler`()
        async throws
    {
        let limit: @Sendable (Call, Peer) throws -> Void = { call, _ in
            do throws(OversizedParameter) { try call.rejectParameters { _ in 10 } } catch {
                throw Example.Broken(reason: error.parameter)
            }
        }
        try await RunningServer.with(admitting: limit) { server in
            let client = try await server.client()
            let long = String(repeating: "x", count: 4_000_000)
            await #expect(throws: Example.Broken(reason: "text")) {
                try await client.call(Example.Echo(text: long))
            }
            let peer = try RawPeer(server.path)
            // The type of the value is wrong, so decoding it would cause another error.
            try await peer.send(
                "{\"method\":\"org.example.test.Echo\",\"parameters\":{\"text\":[\"\(long)\"]}}\0")
            #expect(try await peer.message()?.contains("Broken") == true)
            #expect(try await client.call(Example.Echo(text: "0123456789")).text == "0123456789")
            #expect(server.service.now.echoed == ["0123456789"])
        }
    }

    @Test func `A message that is too long is rejected before the complete message has arrived`() async throws
    {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            try await peer.send(String(repeating: "x", count: 5 * 1024 * 1024))
            try await peer.end()
            #expect(String(decoding: peer.received, as: UTF8.self) == refusal + "\0")
        }
    }

    @Test(arguments: [
        "{\"method\":\"org.example.test.Echo\",\"parameters\":" + String(repeating: "[", count: 200) + "\0",
        "not JSON\0", "{}\0", "\0", "GET / HTTP/1.1\r\n\r\n\0",
    ])
    func `An invalid call is rejected, and the connection is closed`(bytes: String) async throws {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            try await peer.send(bytes)
            #expect(try await peer.message() == refusal)
            #expect(try await peer.message() == nil)
            let client = try await server.client()
            #expect(try await client.call(Example.Echo(text: "x")).text == "x")
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct ExhaustionTests {
    private let start = "{\"method\":\"org.varlink.service.GetInfo\"}\0"

    @Test func `A server that has no file descriptors left closes idle connections and continues`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        // The server runs in a separate process, because the limit of descriptors applies to a process.
        let conformance = try BuiltProduct.path(of: "conformance")
        let server = try ChildProcess(
            "/bin/sh", ["-c", "ulimit -n 24; exec \"$0\" varlink serve unix:\"$1\"", conformance, path])
        _ = try await server.waitForLine(after: "listening on ")
        var peers: [RawPeer] = []
        for _ in 0..<60 {
            let peer = try RawPeer(path)
            peers.append(peer)
            try await peer.send(start)
            #expect(try await peer.message()?.contains("conformance") == true)
        }
        try await peers[0].end()
        #expect(server.isRunning)
    }
}
