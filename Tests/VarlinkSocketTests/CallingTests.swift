import TestSupport
import Testing
import Varlink
import VarlinkSocket

@Suite(.timeLimit(.minutes(2))) struct CallingTests {
    @Test func `A Varlink reply is available both decoded and as raw parameters`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            #expect(try await client.call(Example.Echo(text: "ü/")).text == "ü/")
            let raw = try await client.callRaw(Example.Echo(text: "ü/"))
            #expect(String(decoding: raw, as: UTF8.self) == #"{"text":"ü/"}"#)
        }
    }

    @Test func `A call and its reply of four megabytes are transferred completely`() async throws {
        try await RunningServer.with { server in
            let client = try await server.client()
            let text = String(repeating: "x", count: 4_000_000)
            #expect(try await client.call(Example.Echo(text: text)).text == text)
        }
    }

    @Test func `A declared error is decoded as its type, and any other error as the configured error`()
        async throws
    {
        try await RunningServer.with { server in
            let client = try await server.client()
            await #expect(throws: Example.Broken(reason: "as asked")) {
                try await client.call(Example.Fail(how: "fault"))
            }
            await #expect(throws: Example.Failed(reason: "Odd()")) {
                try await client.call(Example.Fail(how: "else"))
            }
            #expect(try await client.call(Example.Echo(text: "goes on")).text == "goes on")
        }
    }

    @Test func `The configured error is sent if a reply exceeds the limit`() async throws {
        let limits = ServerLimits(message: MessageLimits(bytes: 1000))
        try await RunningServer.with(limits: limits) { server in
            let client = try await server.client()
            await #expect(throws: Example.Failed(reason: "tooLong(limit: 1000)")) {
                try await client.call(Example.Echo(text: "x", count: 1000))
            }
        }
    }

    @Test(arguments: [
        (#"org.example.other.Echo"}"#, #"InterfaceNotFound","parameters":{"interface":"org.example.other"#),
        (#"org.example.test.No"}"#, #"MethodNotFound","parameters":{"method":"org.example.test.No"#),
        (#"org.example.test.Unwritten"}"#, #"MethodNotImplemented","parameters":{"method":"org.example"#),
        (#"Echo"}"#, #"InvalidParameter","parameters":{"parameter":"method"#),
        (#"org.example.test.Echo"}"#, #"InvalidParameter","parameters":{"parameter":"text"#),
        (
            #"org.example.test.Echo","parameters":{"text":"x","cuont":2}}"#,
            #"InvalidParameter","parameters":{"parameter":"cuont"#
        ),
        (
            #"org.example.test.Echo","parameters":{"text":"x"},"upgrade":true}"#,
            #"InvalidParameter","parameters":{"parameter":"upgrade"#
        ),
        (#"org.example.test.Count","parameters":{"to":3}}"#, #"ExpectedMore","parameters":{"#),
    ])
    func `A call that the server cannot execute gets a standard error, and the connection remains open`(
        call: String, answer: String
    ) async throws {
        try await RunningServer.with { server in
            let peer = try RawPeer(server.path)
            let next = #"{"method":"org.varlink.service.GetInfo"}"#
            try await peer.send(#"{"method":""# + call + "\0" + next + "\0")
            let reply = try #require(try await peer.message())
            #expect(reply.hasPrefix(#"{"error":"org.varlink.service."# + answer))
            #expect(try await peer.message()?.contains("product") == true, "the connection goes on")
        }
    }

    @Test func `The introspection methods return the names and descriptions of the service's interfaces`()
        async throws
    {
        try await RunningServer.with { server in
            let client = try await server.client()
            let info = try await client.call(ServiceInterface.GetInfo())
            #expect(info.interfaces == ["org.varlink.service", "org.example.test"])
            #expect(info.product == "p")
            for name in info.interfaces {
                let answer = try await client.call(ServiceInterface.GetInterfaceDescription(interface: name))
                #expect(try VarlinkInterface(parsing: answer.description).name == name)
            }
            await #expect(throws: InterfaceNotFound(interface: "a.b")) {
                try await client.call(ServiceInterface.GetInterfaceDescription(interface: "a.b"))
            }
        }
    }
}

/// Tests that send all texts of `JSONSamples` over a real socket.
@Suite(.timeLimit(.minutes(5))) struct StrictJSONTests {
    private let refusal =
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"message"}}"#

    private func call(beside value: [UInt8]) -> [UInt8] {
        Array(#"{"method":"org.example.test.Echo","parameters":{"text":"x"},"other":"#.utf8) + value
            + Array("}\0".utf8)
    }

    @Test func `A message with invalid JSON is rejected before a method is called`() async throws {
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

    @Test func `Messages with any valid JSON are answered in order`() async throws {
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
