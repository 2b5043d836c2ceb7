import CutieAPI
import Store

/// The conversations that the summary on the screen stands for, the newest last. They are kept with it:
/// after a restart it goes on counting.
struct SummaryMembers: Codable {
    private var members: [Member]

    private struct Member: Codable {
        var account: Int64
        var conversation: Conversation.ID
    }

    init(_ keys: [PopupKey]) {
        members = keys.compactMap { key in
            guard case .conversation(let account, let id) = key else { return nil }
            return Member(account: account.rawValue, conversation: id)
        }
    }

    var keys: [PopupKey] {
        members.map { .conversation(AccountID(rawValue: $0.account), $0.conversation) }
    }

    private static let setting = "summary"

    func save(in transaction: Transaction) throws {
        try transaction.setSetting(Self.setting, to: String(decoding: try JSON.encode(self), as: UTF8.self))
    }

    static func stored(in transaction: Transaction) throws -> [PopupKey] {
        let text = try transaction.setting(setting)
        return text.flatMap { try? JSON.decode(SummaryMembers.self, from: $0.utf8) }?.keys ?? []
    }
}
