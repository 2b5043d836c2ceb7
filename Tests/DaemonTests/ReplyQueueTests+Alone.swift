import CutieAPI
import NotificationPolicy
import Store
import TestSupport
import Testing

@testable import Accounts
@testable import ControlServer
@testable import Daemon
@testable import EventLog
@testable import Notifications

extension ReplyQueueTests {
    /// Runs the queue, and runs `body` once the queue is idle after a first reply.
    private func runIdleQueue(_ body: @MainActor () async throws -> Void) async throws {
        let queue = queue()
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the queue is idle") { try fixture.pending().isEmpty && queue.isIdle }
            try await body()
        }
    }

    @Test func `A single reply gets the stage "announcing" in the same transaction that stores the reply`()
        async throws
    {
        try await runIdleQueue {
            try reply("m2", at: 2, unread: 2)
            #expect(try stages("m2") == [.stored, .announcing])
            try await eventually("the reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(try stages("m2") == [.stored, .announcing, .shown])
        #expect(server.shown.map(\.notification.body).last == "2 new replies:\ntext of m2")
    }

    @Test func `Two consecutive replies are each shown exactly once`() async throws {
        try await runIdleQueue {
            try reply("m2", in: "d", at: 2)
            try reply("m3", in: "e", at: 3)
            try await eventually("both replies are shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.stackTag) == ["c", "d", "e"])
        #expect(try stages("m3") == [.stored, .announcing, .shown])
    }

    @Test func `A reply that is read while it is queued is not shown`() async throws {
        try await runIdleQueue {
            try reply("m2", in: "d", at: 2)
            try fixture.accept(.read("d", leaving: 0, at: 3, event: "r"))
            try reply("m3", in: "e", at: 4)
            try await eventually("the next reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.stackTag) == ["c", "e"])
        #expect(try stages("m2") == [.stored, .announcing, .read])
    }

    @Test func `A reply is held if the notification server exits, and is shown by the next server`()
        async throws
    {
        try await runIdleQueue {
            server.set { $0.refusal = .noServer("gone") }
            try reply("m2", in: "d", at: 2)
            try await eventually("the reply is shown") { server.shown.last?.notification.stackTag != "c" }
        }
        #expect(try stages("m2").prefix(3) == [.stored, .announcing, .held])
    }

    @Test func `A reply is not queued if its transaction fails`() async throws {
        struct Failure: Error {}
        let queue = queue()
        let join = fixture.collaborators.participate
        try await running(queue.run) {
            try reply("m1", at: 1)
            try await eventually("the queue is idle") { try fixture.pending().isEmpty && queue.isIdle }
            fixture.collaborators.participate = {
                _ = try join($0)
                throw Failure()
            }
            #expect(throws: Failure.self) { try reply("m2", in: "d", at: 2) }
            fixture.collaborators.participate = join
            try reply("m3", in: "e", at: 3)
            try await eventually("the next reply is shown") { try fixture.pending().isEmpty }
        }
        #expect(server.shown.map(\.notification.stackTag) == ["c", "e"])
        #expect(try stages("m2").isEmpty)
    }

    /// Runs `body` while `count` tasks watch the head of the event log. Whenever a watcher wakes up,
    /// records the number of notifications that the server has shown so far.
    private func runWithWatchers(_ count: Int, _ body: (Woken) async throws -> Void) async throws {
        let woken = Woken()
        try await runIdleQueue {
            let known = fixture.ingest.head.value
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try await fixture.ingest.head.waitUntilPast(known)
                        await woken.note(server.shown.count)
                    }
                }
                defer { group.cancelAll() }
                try await eventually("all watchers wait") { fixture.ingest.head.readerCount >= count }
                try await body(woken)
            }
        }
    }

    @Test func `A hundred watchers are woken only after the notification of the reply has been sent`()
        async throws
    {
        try await runWithWatchers(100) { woken in
            let before = server.shown.count
            try reply("m2", in: "d", at: 2)
            try await eventually("all watchers are woken") { woken.counts.count == 100 }
            #expect(woken.counts.allSatisfy { $0 == before + 1 })
        }
    }

    @Test func `Watchers are woken even if the notification server does not respond`() async throws {
        try await runWithWatchers(100) { woken in
            let gate = Gate.Asynchronous()
            server.set { $0.hang = gate }
            try reply("m2", in: "d", at: 2)
            try await eventually("all watchers are woken") { woken.counts.count == 100 }
            gate.open()
        }
    }
}

@MainActor
private final class Woken {
    private(set) var counts: [Int] = []

    func note(_ count: Int) { counts.append(count) }
}
