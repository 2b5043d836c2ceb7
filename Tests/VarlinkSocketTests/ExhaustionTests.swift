import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ExhaustionTests {
    private let start = "{\"method\":\"org.varlink.service.GetInfo\"}\0"

    @Test func `A server without descriptors gives up idle connections and serves the next`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        // A process of its own: the limit holds for all of one.
        let conformance = try BuiltProduct.path(of: "conformance")
        let server = try ChildProcess(
            "/bin/sh", ["-c", "ulimit -n 24; exec \"$0\" varlink serve unix:\"$1\"", conformance, path])
        _ = try await server.line(after: "listening on ")
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
