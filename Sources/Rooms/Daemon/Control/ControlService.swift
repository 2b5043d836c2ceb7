import ControlAPI
import CutieAPI
import Identity
import Inbox
import Logging
import Store

/// What the verbs of the control socket do. It decodes nothing and encodes nothing: parameters in, replies out.
final class ControlService {
    let store: Store
    let ingest: Ingest
    let accounts: Accounts
    let announcer: Announcer
    let switches: Switches
    let secrets: SecretStore
    let questions: Questions
    let consent: ConsentKeeper
    let handOver: HandOver
    let added: AddedAccounts
    let surroundings: Surroundings
    /// Whether what a program has shown is marked read.
    let marksShownRead: () -> Bool
    /// Reads the configuration again; throws a sentence where it is refused.
    let reloadConfiguration: () async throws -> Void

    /// Verbs that send wait this long for the API before they answer "queued".
    static let waitLimit: Duration = .seconds(5)

    init(
        ingest: Ingest, accounts: Accounts, announcer: Announcer, switches: Switches,
        secrets: SecretStore, questions: Questions, consent: ConsentKeeper, handOver: HandOver,
        added: AddedAccounts, surroundings: Surroundings, marksShownRead: @escaping () -> Bool,
        reload: @escaping () async throws -> Void
    ) {
        (self.store, self.ingest, self.accounts) = (ingest.store, ingest, accounts)
        (self.announcer, self.switches, self.secrets) = (announcer, switches, secrets)
        (self.questions, self.consent) = (questions, consent)
        (self.handOver, self.added) = (handOver, added)
        self.surroundings = surroundings
        self.marksShownRead = marksShownRead
        reloadConfiguration = reload
    }

    func reload() async throws -> Reload.Reply {
        try await reloadConfiguration()
        return Reload.Reply()
    }

    func reconnect(_ call: Reconnect) throws -> Reconnect.Reply {
        for unit in try accounts.chosen(call.account) { try unit.reconnect() }
        return Reconnect.Reply()
    }

    func explain(_ call: Explain) throws -> Explain.Reply {
        let (unit, record) = try accounts.message(
            call.message, in: call.conversation, named: call.account)
        let (id, thread) = (record.message.id, record.message.conversation)
        return try store.read { transaction in
            let steps = try transaction.steps(of: id, in: thread, account: unit.account.id)
            var room = ReplyRoom(beside: steps.reduce(0) { $0 + ($1.detail?.jsonSize ?? 4) + 80 })
            let message = room.take(MessageView(record, account: unit.account.name))
            return Explain.Reply(
                message: message,
                steps: steps.map {
                    ControlAPI.LedgerStep(at: $0.at.milliseconds, stage: $0.stage.rawValue, detail: $0.detail)
                }, cut: room.isCut ? true : nil)
        }
    }
}
