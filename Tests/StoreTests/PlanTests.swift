import CutieAPI
import GRDB
import Testing

@testable import Store

/// Nothing that runs for each event may take longer as the history grows.
struct PlanTests {
    private let big = [
        "message", "seen_message", "unfetched", "seen_event", "log", "ledger", "conversation", "m", "s", "l",
        "c",
    ]

    private func fill(_ fixture: StoreFixture) throws {
        try fixture.store.write { transaction in
            for number in 0..<600 {
                var thread = Conversation(id: Conversation.ID("c\(number % 200)"))
                thread.updatedAt = .at(Int64(number))
                try transaction.save(
                    ConversationRecord(
                        account: fixture.account, conversation: thread, unread: number % 2,
                        sinceClear: number % 3))
                try transaction.insert(
                    .reply("m\(number)", in: thread.id), account: fixture.account, stage: .stored,
                    pending: number % 20 == 0, at: .at(1))
                try transaction.appendLog(type: "message.created", at: .at(1))
                try transaction.noteEvent(Event.ID("e\(number)"), account: fixture.account, at: .at(1))
            }
        }
    }

    /// The plan lines of every statement that `body` runs.
    private func plans(_ fixture: StoreFixture, _ body: (Transaction) throws -> Void) throws -> [String] {
        try explain("EXPLAIN QUERY PLAN", "detail", fixture, body)
    }

    /// What `explanation` tells, in its column, of every statement that `body` runs.
    private func explain(
        _ explanation: String, _ column: String, _ fixture: StoreFixture,
        _ body: (Transaction) throws -> Void
    ) throws -> [String] {
        let statements = Statements()
        fixture.store.queue.inDatabase { $0.trace { statements.list.append("\($0)") } }
        try fixture.store.write(body)
        return try fixture.store.queue.inDatabase { database in
            database.trace(options: [])
            return try statements.list.filter {
                $0.prefixMatch(of: /SELECT|UPDATE|DELETE|INSERT|REPLACE/) != nil
            }
            .flatMap { sql in
                let statement = try database.makeStatement(sql: "\(explanation) \(sql)")
                statement.setUncheckedArguments([])
                return try Row.fetchAll(statement).map { "\($0[column] as String) -- \(sql)" }
            }
        }
    }

    private final class Statements { var list: [String] = [] }

    private func scans(_ plan: [String]) -> [String] {
        plan.filter { line in
            big.contains {
                line.hasPrefix("SCAN \($0)") && line.dropFirst(5 + $0.count).first.map { $0 == " " } ?? true
            }
        }
    }

    private func sweep(_ transaction: Transaction, _ account: AccountID) throws {
        try transaction.noteEvent("new", account: account, at: .at(1))
        _ = try transaction.hasSeen("new", in: "c1", account: account)
        _ = try transaction.hasSeen("new", in: nil, account: account)
        try transaction.noteUnfetched("c1", account: account, isFirst: false)
        try transaction.forgetUnfetched("c1", account: account)
        _ = try transaction.conversation("c1", account: account)
        try transaction.appendLog(type: "x", at: .at(1))
        try transaction.insert(.reply("new"), account: account, stage: .stored, pending: true, at: .at(1))
        try transaction.save(ConversationRecord(account: account, conversation: Conversation(id: "c1")))
        try transaction.setCursor("new", of: account)
        try transaction.append(step: .announcing, at: .at(1), to: "new", in: "c1", account: account)
        try transaction.append(
            step: .shown, at: .at(1), to: "new", in: "c1", account: account, pending: false)
        _ = try transaction.log(after: 590, limit: 5)
        _ = try transaction.head()
        _ = try transaction.oldestSequence()
        _ = try transaction.message("m5")
        _ = try transaction.messages(in: "c1", account: account, limit: 5)
        _ = try transaction.newestReply(in: "c1", account: account)
        _ = try transaction.steps(of: "m5", in: "c5", account: account)
        _ = try transaction.accounts(holding: "c1")
        _ = try transaction.nextOutbox(account: account, now: .at(1))
        _ = try transaction.clearBadge(account: account, conversation: "c1")
        _ = try transaction.newestReplies(in: "c1", account: account, limit: 3, stage: .shown)
        _ = try transaction.replyCount(in: "c5", account: account, after: "m5")
        _ = try transaction.replyCount(in: "c1", account: account, amongNewest: 3, stage: .shown)
        _ = try transaction.unreadCount(of: "c1", account: account)
        _ = try transaction.repliesToMarkRead(in: "c1", account: account, of: 5, leaving: 2)
        _ = try transaction.pendingReadBound(in: "c1", account: account)
        try transaction.closeShown(in: "c1", account: account, detail: "clicked", at: .at(1))
        try transaction.indexNewMessages()
    }

    @Test(arguments: [false, true])
    func `What runs for an event scans no large table, before and after statistics`(optimized: Bool) throws {
        let fixture = try StoreFixture()
        try fill(fixture)
        if optimized { try fixture.store.queue.inDatabase { try $0.execute(sql: "ANALYZE") } }
        let plan = try plans(fixture) { try sweep($0, fixture.account) }
        #expect(plan.count > 20)
        #expect(scans(plan).isEmpty)
        // A read sorts its thread: dates do not tell in which order it came, and no index for it is worth its place.
        let sorted = plan.filter { $0.contains("TEMP B-TREE") && !$0.contains("ORDER BY +row") }
        #expect(sorted.filter { !$0.contains("FROM account") }.isEmpty)
    }

    @Test func `A reply's life is written without temporary tables`() throws {
        let fixture = try StoreFixture()
        let opcodes = try explain("EXPLAIN", "opcode", fixture) { transaction in
            try transaction.noteEvent("e", account: fixture.account, at: .at(1))
            try transaction.insert(
                .reply("m"), account: fixture.account, stage: .stored, pending: true, at: .at(1))
            try transaction.save(
                ConversationRecord(account: fixture.account, conversation: Conversation(id: "c1")))
            try transaction.appendLog(type: "message.created", at: .at(1))
            for stage in [Stage.announcing, .shown] {
                try transaction.append(step: stage, at: .at(1), to: "m", in: "c1", account: fixture.account)
            }
        }
        #expect(opcodes.contains { $0.hasPrefix("Insert ") })
        #expect(opcodes.filter { $0.hasPrefix("OpenEphemeral") }.isEmpty)
    }

    private typealias Question = @Sendable (Transaction) throws -> Void

    private static let questions: [(String, Question)] = [
        ("conversation_live", { try _ = $0.badges() }),
        ("conversation_live", { try _ = $0.clearBadge() }),
        ("conversation_live", { try _ = $0.conversations(unreadOnly: true) }),
        ("conversation_live", { try _ = $0.sums(of: AccountID(rawValue: 1)) }),
        ("conversation_newest", { try _ = $0.conversations(limit: 5) }),
        ("message_fresh", { try _ = $0.pendingMessages(held: false, limit: 5) }),
        ("message_held", { try _ = $0.pendingMessages(held: true, limit: 5) }),
    ]

    @Test(arguments: questions.indices)
    func `What is asked of a part of a table reads its index`(number: Int) throws {
        let (index, question) = Self.questions[number]
        let fixture = try StoreFixture()
        try fill(fixture)
        let plan = try plans(fixture, question)
        #expect(!plan.isEmpty)
        #expect(plan.allSatisfy { $0.contains(index) || $0.contains("TEMP B-TREE") }, "\(plan)")
    }
}
