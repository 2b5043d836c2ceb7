import ControlAPI
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

struct WaitTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    @Test func `The command ctl wait exits once the daemon is connected`() async throws {
        let (session, printed) = daemon.session()
        let state = Shared(ConnectionState.connecting)
        let asked = Shared(0)
        try await daemon.running {
            $0.on(GetStatus.self) { _ in
                asked.value += 1
                return .sample(accounts: [.sample(state: state.value)])
            }
            .onStream(Watch.self) { _, stream in
                try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                try await eventually("the status is requested") { asked.value >= 1 }
                state.value = .connected
                try await stream.send(Watch.Reply(sequence: 2, type: .badge, at: noon))
                try await stream.send(Watch.Reply(sequence: 3, type: .state, at: noon))
                try await Task.sleep(for: .seconds(3600))
            }
        } while: {
            try await ctl("wait", "--connected", in: session)
        }
        #expect(printed.text.hasPrefix("state          connected by stream\n"))
        #expect(asked.value == 2)
    }

    @Test(arguments: [["--timeout", "0"], ["--no-wait"]])
    func `The command ctl wait fails when its timeout expires`(_ limit: [String]) async throws {
        let (session, _) = daemon.session()
        let complaint = await #expect(throws: CommandError.self) {
            try await ctl(["wait"] + limit, in: session)
        }
        #expect(complaint?.status == .failed)
    }

    @Test func `The command ctl wait with a timeout of zero prints the current status`() async throws {
        let (session, printed) = daemon.session()
        try await daemon.running {
            $0.on(GetStatus.self) { _ in
                // Simulates the typical duration of a call to a daemon in another process.
                try await Task.sleep(for: .milliseconds(20))
                return .sample()
            }
            .onStream(Watch.self) { _, stream in
                try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                try await Task.sleep(for: .seconds(3600))
            }
        } while: {
            try await ctl("wait", "--timeout", "0", in: session)
        }
        #expect(printed.text.hasPrefix("state          connected by stream\n"))
    }

    @Test(arguments: [["--timeout", "0"], ["--no-wait"], ["--connected", "--timeout", "0"]])
    func `The command ctl wait with a timeout of zero does not wait for a daemon that hangs`(
        _ limit: [String]
    )
        async throws
    {
        let (session, _) = daemon.session()
        let begin = ContinuousClock.now
        try await daemon.running {
            $0.on(GetStatus.self) { _ in
                try await Task.sleep(for: .seconds(3600))
                return .sample()
            }
        } while: {
            let complaint = await #expect(throws: CommandError.self) {
                try await ctl(["wait"] + limit, in: session)
            }
            #expect(complaint?.status == .failed)
            let state = limit.contains("--connected") ? "connected" : "running"
            #expect(complaint?.sentence == "the daemon is not \(state)")
        }
        // The test fails if the verb waits 30 s, which is the response timeout of other verbs.
        #expect(ContinuousClock.now - begin < .seconds(20))
    }

    @Test func `With --no-wait, the command ctl wait still waits for the connection of a running daemon`()
        async throws
    {
        let (session, printed) = daemon.session()
        let state = Shared(ConnectionState.connecting)
        let asked = Shared(0)
        try await daemon.running {
            $0.on(GetStatus.self) { _ in
                asked.value += 1
                return .sample(accounts: [.sample(state: state.value)])
            }
            .onStream(Watch.self) { _, stream in
                try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                try await eventually("the status is requested") { asked.value >= 1 }
                state.value = .connected
                try await stream.send(Watch.Reply(sequence: 2, type: .state, at: noon))
                try await Task.sleep(for: .seconds(3600))
            }
        } while: {
            try await ctl("wait", "--connected", "--no-wait", "--timeout", "60", in: session)
        }
        #expect(printed.text.hasPrefix("state          connected by stream\n"))
    }

    @Test func `With --no-wait, the command ctl wait does not wait for a daemon to start`() async throws {
        let (session, _) = daemon.session()
        let begin = ContinuousClock.now
        let complaint = await #expect(throws: CommandError.self) {
            try await ctl("wait", "--no-wait", "--timeout", "60", in: session)
        }
        #expect(complaint?.status == .failed && complaint?.sentence == "the daemon is not running")
        #expect(ContinuousClock.now - begin < .seconds(30))
    }

    @Test func `The command ctl wait fails for an unknown account`() async throws {
        let (session, _) = daemon.session()
        try await daemon.running {
            $0.on(GetStatus.self) { _ in .sample() }
                .onStream(Watch.self) { _, stream in
                    try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                    try await Task.sleep(for: .seconds(3600))
                }
        } while: {
            let complaint = await #expect(throws: CommandError.self) {
                try await ctl("wait", "--account", "nobody", in: session)
            }
            #expect(complaint?.status == .notFound)
        }
    }
}
