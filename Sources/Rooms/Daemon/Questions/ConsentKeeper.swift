import ControlAPI
import CutieAPI
import Store

/// Whether the person agreed to be counted as active: off until they do, and asked once.
final class ConsentKeeper {
    private static let key = "consent"
    /// Two questions at once are one too many: this long after the first one was answered.
    private static let modesty: Duration = .seconds(60)

    private let ingest: Ingest
    private let questions: Questions
    private let accounts: Accounts
    private let surroundings: Surroundings
    /// Moves when the person decides.
    let changes = Head()

    init(ingest: Ingest, questions: Questions, accounts: Accounts, surroundings: Surroundings) {
        (self.ingest, self.questions) = (ingest, questions)
        (self.accounts, self.surroundings) = (accounts, surroundings)
    }

    /// nil: the person has not said.
    func decision() throws -> Bool? {
        try ingest.store.read { try $0.setting(Self.key) }.map { $0 == "on" }
    }

    func set(_ isGiven: Bool) throws {
        try ingest.store.write { try $0.setSetting(Self.key, to: isGiven ? "on" : "off") }
        try questions.withdraw(.consent, as: isGiven ? .allow : .refuse)
        changes.advance()
    }

    /// Asks once, when the person has written something and is connected: before, nobody knows what is
    /// meant. Not together with the question of the first start.
    func run() async throws {
        try await permissionAnswered()
        while true {
            let seen = ingest.head.value
            if questions.mayPopUp {
                guard let isTime = try isTime() else { return }
                if isTime {
                    try questions.ask(.consent)
                    return
                }
            }
            try await ingest.head.passed(seen)
        }
    }

    /// While that question is open, no event has to lead here.
    private func permissionAnswered() async throws {
        while true {
            let seen = questions.changes.value
            guard let asked = try questions.last(.permission), asked.answeredAt == nil else { return }
            try await questions.changes.passed(seen)
        }
    }

    /// nil: it was asked before. One look at the store, as every event leads here.
    private func isTime() throws -> Bool? {
        let isConnected = accounts.units.contains { $0.feed.status.state == .connected }
        let now = surroundings.now()
        return try ingest.store.read { transaction in
            guard try transaction.setting(Self.key) == nil,
                try transaction.newestQuestion(of: Question.Kind.consent.rawValue) == nil
            else { return nil }
            guard isConnected else { return false }
            if let permission = try transaction.newestQuestion(of: Question.Kind.permission.rawValue) {
                guard let answeredAt = permission.answeredAt, now - answeredAt >= Self.modesty
                else { return false }
            }
            return try accounts.units.contains { unit in
                try !transaction.conversations(account: unit.account.id, unreadOnly: false, limit: 1).isEmpty
            }
        }
    }
}
