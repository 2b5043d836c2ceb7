import Foundation
import TestSupport
import Testing

@Suite struct `Operating-system threads of the daemon` {
    /// A thread pool of libdispatch must never be started, because it wakes up every second.
    @Test func `The daemon has only one thread, except for the threads of libraries`() async throws {
        try await EndToEndFixture.with({ $0.configuration = "hooks: {on_reply: [/bin/echo, here]}" }) {
            fixture in
            var replies = try await ConversationActions(of: 2, in: fixture)
            try await replies.send(4)
            try await replies.announced()
            #expect(try await fixture.daemon.ctl("read", "--all").code == 0)
            try await fixture.daemon.waitForBadge(0)
            // A regression test: the output of a hook was read on a queue of libdispatch.
            try await eventually("the hook ran") { fixture.daemon.journal.contains("output of a hook") }
            let program = try #require(fixture.daemon.current)
            // "pool" is a thread of GLib that exits after some time.
            let libraries: Set = ["notify", "gmain", "gdbus", "pool", "secrets"]
            let own = try threads(of: program.pid).subtracting(libraries)
            #expect(own == ["cutied-daemon"])
        }
    }

    private func threads(of process: Int32) throws -> Set<String> {
        let directory = "/proc/\(process)/task"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).map {
            try String(contentsOfFile: "\(directory)/\($0)/comm", encoding: .utf8)
        }
        return Set(names.map { $0.trimmingCharacters(in: .newlines) })
    }
}
