import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: varlinkPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"))
struct `An independent Varlink client` {
    @Test
    func `A third-party client can list the interface, call methods, get errors and stream the event log`()
        async throws
    {
        try await EndToEndFixture.with { fixture in
            let conversation = try await fixture.daemon.startConversation("From python")
            let client = try SpawnedProgram(
                try #require(varlinkPython), ["-c", Self.script, fixture.daemon.socketFile, conversation],
                environment: ["PATH": "/usr/bin:/bin"])
            try await eventually("the client watches; \(client.standardError)") {
                client.lines.contains("watching") || !client.isRunning
            }
            try await fixture.sandbox.reply("Hello, python", in: conversation)
            #expect(try await client.waitForExit() == 0, "\(client.standardError)")
            #expect(
                client.lines == [
                    "interfaces io.cutied.Control org.varlink.service", "state connected", "badge 0",
                    "not found conversation", "watching", "message Hello, python",
                ])
        }
    }

    private static let script = """
        import sys, varlink
        client = varlink.Client.new_with_address("unix:" + sys.argv[1])
        known = {"io.cutied.Control", "org.varlink.service"}
        print("interfaces", *sorted(known.intersection(client.get_interfaces())))
        with client.open("io.cutied.Control", namespaced=True) as control:
            status = control.GetStatus()
            print("state", status.state)
            print("badge", status.badge.total)
            try:
                control.GetConversation("conv_none")
            except varlink.VarlinkError as error:
                assert error.error() == "io.cutied.Control.NotFound", error
                print("not found", error.parameters()["what"])
            for entry in control.Watch(_more=True):
                if entry.type == "snapshot":
                    print("watching", flush=True)
                if entry.type == "message.created":
                    print("message", entry.data.message.message)
                    break
        """
}
