import ControlAPI
import ControlClient
import Synchronization
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

struct WatchTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    /// Serves an event log with entries numbered from 1 to `head`. Streams the entries after the requested
    /// position and keeps the stream open.
    private func watchable(
        _ implementation: consuming Implementation, head: Int64, asked: Shared<[Int64?]>
    ) -> Implementation {
        implementation.onStream(Watch.self) { call, stream in
            let since = call.parameters.since
            asked.value.append(since)
            try await stream.send(Watch.Reply(sequence: head, type: .snapshot, at: noon))
            for sequence in ((since ?? head)..<head).map({ $0 + 1 }) {
                try await stream.send(Watch.Reply(sequence: sequence, type: .badge, at: noon))
            }
            try await Task.sleep(for: .seconds(3600))
        }
    }

    @Test func `The command ctl watch misses no entry when the daemon restarts`() async throws {
        let (session, printed) = daemon.session(json: true)
        let asked = Shared<[Int64?]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.running {
                watchable($0, head: 3, asked: asked)
            } while: {
                group.addTask { try await ctl("watch", "--since", "1", in: session) }
                try await eventually("the first entries") { printed.lines.count == 3 }
            }
            try await daemon.running {
                watchable($0, head: 5, asked: asked)
            } while: {
                try await eventually("the later entries") { printed.lines.count == 6 }
            }
            group.cancelAll()
        }
        #expect(asked.value == [1, 3])
        let sequences = printed.lines.filter { $0.contains("badge") }.map { $0.split(separator: ":")[2] }
        #expect(sequences.map { $0.prefix { $0 != "," } } == ["2", "3", "4", "5"])
    }

    @Test
    func `A watcher resumes at the same sequence number if the daemon restarts before sending an entry`()
        async throws
    {
        let (session, printed) = daemon.session(json: true, timeout: .seconds(20))
        let asked = Shared<[Int64?]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.running {
                $0.onStream(Watch.self) { call, _ in
                    asked.value.append(call.parameters.since)
                    try await Task.sleep(for: .seconds(3600))
                }
            } while: {
                group.addTask { try await ctl("watch", "--since", "1", in: session) }
                try await eventually("the watcher is there") { asked.value == [1] }
            }
            try await daemon.running {
                watchable($0, head: 3, asked: asked)
            } while: {
                try await eventually("the entries") { printed.lines.count == 3 }
            }
            group.cancelAll()
        }
        #expect(asked.value == [1, 1])
    }

    @Test func `The command ctl watch fails if no daemon is running at launch`() async throws {
        let (session, _) = daemon.session()
        await #expect(throws: DaemonUnavailable.self) { try await ctl("watch", in: session) }
    }

    @Test
    func `The command ctl watch ends without an error when the reader of its output has closed the pipe`()
        async throws
    {
        var (session, _) = daemon.session()
        session.output = Output { _ in throw ClosedPipe() }
        let asked = Shared<[Int64?]>([])
        try await daemon.running {
            watchable($0, head: 3, asked: asked)
        } while: { [session] in
            await #expect(throws: ClosedPipe.self) { try await ctl("watch", in: session) }
        }
        #expect(ErrorReporter.report(ClosedPipe(), rootCommand: CtlCommand.self) == 0)
    }

    @Test func `The command ctl watch with an account omits entries of other accounts`() async throws {
        let (session, printed) = daemon.session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.running {
                $0.on(GetStatus.self) { _ in .sample(accounts: [.sample("home"), .sample("work")]) }
                    .onStream(Watch.self) { _, stream in
                        for account in [nil, "home", "work"] {
                            try await stream.send(
                                Watch.Reply(sequence: 1, type: .badge, at: noon, account: account))
                        }
                        try await Task.sleep(for: .seconds(3600))
                    }
            } while: {
                group.addTask { try await ctl("watch", "--account", "work", in: session) }
                try await eventually("the last entry") { printed.text.contains("work") }
            }
            group.cancelAll()
        }
        #expect(printed.lines.count == 2)
        #expect(!printed.text.contains("home"))
    }

    @Test func `Waybar gets a line at the start, on each change and when the daemon stops`() async throws {
        let (session, printed) = daemon.session()
        let badge = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await ctl("watch", "--waybar", in: session) }
            try await eventually("a line is printed without a daemon") { printed.lines.count == 1 }
            try await daemon.running {
                $0.on(GetStatus.self) { _ in .sample(badge: BadgeView(total: badge.value, conversations: [:]))
                }
                .on(ListConversations.self) { _ in
                    .init(conversations: [.sample()], badge: .three)
                }
                .onStream(Watch.self) { _, stream in
                    try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                    try await eventually("the first line") { printed.lines.count == 2 }
                    badge.value = 4
                    for sequence in Int64(2)...9 {
                        try await stream.send(Watch.Reply(sequence: sequence, type: .badge, at: noon))
                    }
                    try await Task.sleep(for: .seconds(3600))
                }
            } while: {
                try await eventually("the change") { printed.lines.count == 3 }
            }
            try await eventually("the end") { printed.lines.count == 4 }
            group.cancelAll()
        }
        let classes = printed.lines.map { $0.contains("\"class\":\"offline\"") }
        #expect(classes == [true, false, false, true])
        #expect(printed.lines[1].contains("\"text\":\"\""))
        #expect(printed.lines[2].contains("\"text\":\"4\""))
    }

    @Test func `Waybar gets a line while the daemon hangs, and another line when the daemon responds`()
        async throws
    {
        let (session, printed) = daemon.session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.running {
                $0.on(GetStatus.self) { _ in .sample(badge: BadgeView(total: 0, conversations: [:])) }
                    .onStream(Watch.self) { _, stream in
                        try await eventually("a line is printed without a response") {
                            printed.lines.count == 1
                        }
                        try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                        try await Task.sleep(for: .seconds(3600))
                    }
            } while: {
                group.addTask { try await ctl("watch", "--waybar", in: session) }
                try await eventually("the answer", within: .seconds(20)) { printed.lines.count == 2 }
            }
            group.cancelAll()
        }
        let classes = printed.lines.map { $0.contains("\"class\":\"offline\"") }
        #expect(classes.prefix(2) == [true, false])
    }

    @Test func `When quiet hours end, Waybar gets a new line`() async throws {
        let (session, printed) = daemon.session()
        let asked = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await daemon.running {
                $0.on(GetStatus.self) { _ in
                    asked.value += 1
                    var status = GetStatus.Reply.sample(badge: BadgeView(total: 0, conversations: [:]))
                    status.holds = asked.value == 1 ? [HoldView(reason: .quietHours, until: noon + 20)] : []
                    return status
                }
                .onStream(Watch.self) { _, stream in
                    try await stream.send(Watch.Reply(sequence: 1, type: .snapshot, at: noon))
                    try await eventually("the first line") { printed.lines.count == 1 }
                    try await stream.send(Watch.Reply(sequence: 2, type: .state, at: noon))
                    try await Task.sleep(for: .seconds(3600))
                }
            } while: {
                group.addTask { try await ctl("watch", "--waybar", in: session) }
                try await eventually("the end of quiet hours") { printed.lines.count == 2 }
            }
            group.cancelAll()
        }
        #expect(printed.lines[0].contains("\"class\":\"paused\""))
        #expect(printed.lines[1].contains("\"class\":\"none\""))
    }

    @Test func `The command ctl watch fails for an unknown account`() async throws {
        let (session, _) = daemon.session()
        let asked = Shared<[Int64?]>([])
        let complaint = await #expect(throws: CommandError.self) {
            try await daemon.running {
                watchable($0, head: 1, asked: asked).on(GetStatus.self) { _ in .sample(accounts: [.sample()])
                }
            } while: {
                try await ctl("watch", "--account", "nope", in: session)
            }
        }
        #expect(complaint?.status == .notFound)
    }
}
