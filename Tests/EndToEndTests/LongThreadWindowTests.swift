import Foundation
import TestSupport
import Testing

@Suite struct `A conversation with a long history` {
    /// Measures processor time, because elapsed time depends on the load of the machine. The time for the
    /// first conversation also includes one-time costs.
    @Test(.timeLimit(.minutes(10)))
    func `Opening a conversation with 10 000 messages takes at most twice as long as with 10 messages`()
        async throws
    {
        try await withInboxWindow { fixture, user, window in
            var times: [Duration] = []
            for (title, messages) in [("First", 10), ("Long", 10_000)] {
                let conversation = try await fixture.daemon.startConversation(title, "the beginning")
                try await fixture.daemon.addMessages(messages, to: conversation)
                let before = try Self.processorTime(of: window.pid)
                #expect(try await fixture.showWindow(conversation, user).waitForExit() == 0)
                try await user.waitFor(.row("line \(messages) of \(title)"))
                times.append(try Self.processorTime(of: window.pid) - before)
            }
            // The limit detects a window that loads all messages, which would take tens of seconds in a debug
            // build.
            #expect(times[1] < max(times[0] * 2, .seconds(3)), "\(times)")
        }
    }

    /// Returns the processor time of the main thread.
    private static func processorTime(of pid: Int32) throws -> Duration {
        let text = try String(contentsOfFile: "/proc/\(pid)/schedstat", encoding: .utf8)
        return .nanoseconds(try #require(text.split(separator: " ").first.flatMap { Int64($0) }))
    }
}

extension DaemonFixture {
    /// Adds read messages to the database, as if the daemon had received them earlier.
    fileprivate func addMessages(_ count: Int, to conversation: String) async throws {
        let database = directory.file("state/cutied/cutied.db")
        try await execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)),
            first AS (SELECT account, created_at, (SELECT title FROM conversation AS c WHERE c.id = m.conversation)
                AS title, MAX((SELECT MAX(sequence) FROM log), (SELECT MAX(row) FROM message)) AS head
                FROM message AS m WHERE conversation = '\(conversation)' LIMIT 1)
            INSERT INTO message (row, account, id, conversation, created_at, sequence, stage, pending,
                sender_type, sender_name, type, text)
            SELECT head + i, account, 'added-' || head || '-' || i, '\(conversation)', created_at + i, head + i, 8, 0,
                'admin', 'Ann', 'text', 'line ' || i || ' of ' || title FROM n, first
            """, in: database)
        try await execute(
            """
            INSERT INTO seen_message (account, message, conversation, row)
            SELECT account, id, conversation, row FROM message WHERE id GLOB 'added-*'
            ON CONFLICT DO NOTHING
            """, in: database)
    }
}
