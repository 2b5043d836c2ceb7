import ControlAPI
import ControlClient
import Reasons
import TestSupport
import Testing
import Varlink
import VarlinkSocket

struct DaemonClientTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    private func client(timeout: Duration = .zero) -> DaemonClient {
        DaemonClient(path: daemon.socket, timeout: timeout)
    }

    @Test func `A reply is decoded, and its original JSON is also available`() async throws {
        try await daemon.running {
            $0.on(Reconnect.self) { _ in .init() }
                .on(Notifications.self) { call in .init(enabled: call.parameters.enabled ?? false) }
        } while: {
            let answer = try await client().call(Notifications(enabled: true))
            #expect(answer.reply.enabled)
            #expect(String(decoding: answer.json, as: UTF8.self) == #"{"enabled":true}"#)
        }
    }

    @Test func `An error from the daemon is decoded as the error type of the interface`() async throws {
        try await daemon.running {
            $0.on(GetConversation.self) { _ in throw NotFound(what: "conversation", id: "conv_9") }
        } while: {
            await #expect(throws: NotFound(what: "conversation", id: "conv_9")) {
                try await client().call(GetConversation(conversation: "conv_9"))
            }
        }
    }

    @Test func `A method that the daemon does not support is reported as an incompatible daemon version`()
        async throws
    {
        try await daemon.running {
            $0
        } while: {
            await #expect(throws: IncompatibleDaemon.unknownMethod) { try await client().call(Resume()) }
        }
    }

    @Test func `An unknown error from the daemon is reported as an incompatible daemon version`() async throws
    {
        struct Hungry: Fault { static let name = ControlInterface.name + ".Hungry" }
        try await daemon.running {
            $0.on(Resume.self) { _ in throw Hungry() }
        } while: {
            await #expect(throws: IncompatibleDaemon.unknownFault(Hungry.name)) {
                try await client().call(Resume())
            }
        }
    }

    @Test func `A daemon that is not running and a daemon that responds slowly cause different errors`()
        async throws
    {
        await #expect(throws: DaemonUnavailable(path: daemon.socket, cause: .notRunning)) {
            try await client().call(Resume())
        }
        try await daemon.running {
            $0.on(Resume.self) { _ in
                try await Task.sleep(for: .seconds(3600))
                return .init()
            }
        } while: {
            await #expect(throws: DaemonUnavailable(path: daemon.socket, cause: .tooSlow)) {
                try await client().call(Resume(), timeout: .milliseconds(50))
            }
        }
    }

    @Test func `An unusable socket path is reported immediately, without waiting`() async throws {
        let long = DaemonClient(path: "/" + String(repeating: "x", count: 200), timeout: .seconds(60))
        let error = await #expect(throws: UnusableSocket.self) { try await long.call(Resume()) }
        #expect(error?.reason.english.contains("longer than") == true)
    }

    @Test func `A call waits until a starting daemon accepts connections`() async throws {
        let client = client(timeout: .seconds(60))
        let answer = Task { try await client.call(Notifications(enabled: true)) }
        let asked = Shared(false)
        try await daemon.running {
            $0.on(Notifications.self) { _ in
                asked.value = true
                return .init(enabled: true)
            }
        } while: {
            try await eventually("the call") { asked.value }
            let reply = try await answer.value.reply
            #expect(reply.enabled)
        }
    }

    @Test func `A stream is closed when its reader stops reading`() async throws {
        try await daemon.running {
            $0.onStream(Watch.self) { _, stream in
                for sequence in Int64(1)...3 {
                    try await stream.send(Watch.Reply(sequence: sequence, type: .badge, at: 0))
                }
                try await Task.sleep(for: .seconds(3600))
            }
        } while: {
            var seen: [Int64] = []
            try await client().followReplies(to: Watch()) { entry in
                seen.append(entry.reply.sequence)
                return seen.count == 2 ? .stop : .proceed
            }
            #expect(seen == [1, 2])
        }
    }
}
