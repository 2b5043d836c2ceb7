import TestSupport
import Testing

/// The table of `JSONSamples` through the real socket.
@Suite(.timeLimit(.minutes(5))) struct StrictJSONTests {
    private let refusal =
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"message"}}"#

    private func call(beside value: [UInt8]) -> [UInt8] {
        Array(#"{"method":"org.example.test.Echo","parameters":{"text":"x"},"other":"#.utf8) + value
            + Array("}\0".utf8)
    }

    @Test func `A message with a value that is no JSON is refused, and nothing is called`() async throws {
        try await RunningServer.with { server in
            for value in JSONSamples.invalid {
                let peer = try RawPeer(server.path)
                try await peer.send(call(beside: value))
                #expect(try await peer.message() == refusal, "\(String(decoding: value, as: UTF8.self))")
                try await peer.end()
            }
            #expect(server.service.now.echoed.isEmpty)
        }
    }

    @Test func `A message with any JSON in it is answered, one after the other`() async throws {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            for value in JSONSamples.valid {
                try await peer.send(call(beside: value))
                let answer = try await peer.message()
                let shown = String(decoding: value, as: UTF8.self)
                #expect(answer == #"{"parameters":{"text":"x"}}"#, "\(shown)")
            }
            #expect(server.service.now.echoed.count == JSONSamples.valid.count)
        }
    }
}
