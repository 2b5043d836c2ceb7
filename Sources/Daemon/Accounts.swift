import ControlAPI
import CutieAPI
import Store

/// The accounts of the configuration in force. Nothing else in the daemon knows "the" account.
final class Accounts {
    private(set) var units: [AccountUnit] = []
    /// Moves when the list changes.
    let changes = Head()
    private let store: Store

    init(store: Store) { self.store = store }

    func replace(with units: [AccountUnit]) {
        self.units = units
        changes.advance()
    }

    func name(of id: AccountID) -> String? { units.first { $0.account.id == id }?.account.name }

    subscript(id: AccountID) -> AccountUnit? { units.first { $0.account.id == id } }

    /// The accounts a verb is about: the named one, or all.
    func chosen(_ name: String?) throws -> [AccountUnit] {
        guard let name else { return units }
        let found = units.filter { $0.account.name == name }
        if found.isEmpty { throw NotFound(what: "account", id: name) }
        return found
    }

    /// The one account for something new.
    func only(_ name: String?) throws -> AccountUnit {
        let found = try chosen(name)
        guard let only = found.first, found.count == 1 else {
            throw InvalidArgument(
                parameter: "account",
                reason: "there are several accounts: " + units.map(\.account.name).joined(separator: ", "))
        }
        return only
    }

    /// The account that has a conversation; an id that fits two is an error that says so.
    func holding(_ conversation: String, named name: String?) throws -> AccountUnit {
        let holders = try store.read { try $0.accounts(holding: Conversation.ID(conversation)) }
        return try one(of: holders, what: "conversation", id: conversation, named: name)
    }

    /// The one message of this id; an id that fits two is an error that says where they are.
    func message(
        _ id: String, in conversation: String?, named name: String?
    ) throws -> (unit: AccountUnit, record: MessageRecord) {
        let thread = conversation.map { Conversation.ID($0) }
        let found = try chosen(name).flatMap { unit in
            try store.read { try $0.message(Message.ID(id), in: thread, account: unit.account.id) }
                .map { (unit: unit, record: $0) }
        }
        guard let only = found.first else { throw NotFound(what: "message", id: id) }
        guard found.count == 1 else {
            throw Ambiguous(
                id: id, accounts: found.map(\.unit.account.name).uniqued,
                conversations: found.map(\.record.message.conversation.rawValue).uniqued)
        }
        return only
    }

    /// Those items of the outbox that are still there.
    func items(of ids: [String]) throws -> [(unit: AccountUnit, item: OutboxRecord)] {
        try store.read { transaction in try ids.compactMap { try transaction.outboxItem($0) } }
            .compactMap { item in self[item.account].map { ($0, item) } }
    }

    private func one(
        of holders: [AccountID], what: String, id: String, named name: String?
    ) throws -> AccountUnit {
        let found = try chosen(name).filter { holders.contains($0.account.id) }
        guard let only = found.first else { throw NotFound(what: what, id: id) }
        guard found.count == 1 else { throw Ambiguous(id: id, accounts: found.map(\.account.name)) }
        return only
    }
}

extension [String] {
    /// Each once, in the order in which they came.
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
