import ControlAPI
import ControlClient
import TestSupport
import Testing
import VarlinkSocket

/// Tests of a client whose daemon stops and starts again.
struct RestartTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    private func client(timeout: Duration = .zero) -> DaemonClient {
        DaemonClient(path: daemon.socket, timeout: timeout)
    }

    /// Serves an event log whose newest sequence number is `head`. Appends the requested start position of
    /// each call to `asked`.
    private func log(
        _ implementation: consuming Implementation, head: Int64, asked: Shared<[Int64?]>
    ) -> Implementation {
        implementation.onStream(Watch.self) { call, stream in
            let since = call.parameters.since
            asked.value.append(since)
            try await stream.send(Watch.Reply(sequence: head, type: .snapshot, at: 0))
            for sequence in ((since ?? head)..<head).map({ $0 + 1 }) {
                try await stream.send(Watch.Reply(sequence: sequence, type: .badge, at: 0))
            }
            try await Task.sleep(for: .seconds(3600))
        }
    }

    @Test
    func `A client that follows the log gets each entry once and is notified if the connection is lost`()
        async throws
    {
        let (heard, asked) = (Shared<[String]>([]), Shared<[Int64?]>([]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [client = client()] in
                try await client.watch(since: 1) { update in
                    switch update {
                    case .entry(let entry):
                        heard.value.append("\(entry.reply.type.rawValue) \(entry.reply.sequence)")
                    case .disconnected(let gone) where heard.value.last != "\(gone.cause)":
                        heard.value.append("\(gone.cause)")
                    case .disconnected: break
                    }
                    return heard.value.last == "badge 4" ? .stop : .proceed
                }
            }
            try await eventually("the missing daemon is reported") { heard.value == ["notRunning"] }
            try await daemon.running {
                log($0, head: 3, asked: asked)
            } while: {
                try await eventually("the first entries") { heard.value.last == "badge 3" }
            }
            try await eventually("the end") { heard.value.contains("left") }
            try await daemon.running {
                log($0, head: 4, asked: asked)
            } while: {
                try await group.waitForAll()
            }
        }
        let expected = ["notRunning", "snapshot 3", "badge 2", "badge 3", "left", "snapshot 4", "badge 4"]
        #expect(
            heard.value.enumerated().filter { $0.offset == 0 || $0.element != "notRunning" }
                .map(\.element) == expected)
        #expect(asked.value == [1, 3])
    }

    @Test func `Following the log ends if the client's handler throws an error`() async throws {
        await #expect(throws: DaemonUnavailable(path: daemon.socket, cause: .notRunning)) {
            try await client().watch { update in
                if case .disconnected(let gone) = update { throw gone }
                return .proceed
            }
        }
    }

    @Test func `A call whose response was lost is retried with the same idempotency key and executed once`()
        async throws
    {
        let keys = Shared<[String?]>([])
        let client = client(timeout: .seconds(60))
        let answer = Task {
            try await client.callIdempotently(SendMessage(conversation: "conv_1", message: "Hi"))
        }
        try await daemon.running {
            $0.on(SendMessage.self) { call in
                keys.value.append(call.parameters.idempotencyKey)
                try await Task.sleep(for: .seconds(3600))
                return .init(queued: true)
            }
        } while: {
            try await eventually("the call") { keys.value.count == 1 }
        }
        try await daemon.running {
            $0.on(SendMessage.self) { call in
                keys.value.append(call.parameters.idempotencyKey)
                return .init(messageId: "msg_1", queued: false)
            }
        } while: {
            let reply = try await answer.value.reply
            #expect(reply.messageId == "msg_1")
        }
        #expect(keys.value.count == 2 && keys.value[0] != nil && keys.value[0] == keys.value[1])
    }

    @Test func `If a call loses its connection and is not retried, its result is reported as unknown`()
        async throws
    {
        let client = client(), taken = Shared(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.running {
                $0.on(SendMessage.self) { _ in
                    taken.value = true
                    try await Task.sleep(for: .seconds(3600))
                    return .init(queued: true)
                }
            } while: {
                group.addTask {
                    await #expect(throws: DaemonUnavailable(path: client.path, cause: .disconnectedInCall)) {
                        try await client.callIdempotently(SendMessage(conversation: "conv_1", message: "Hi"))
                    }
                }
                try await eventually("the call") { taken.value }
            }
            try await group.waitForAll()
        }
    }
}
