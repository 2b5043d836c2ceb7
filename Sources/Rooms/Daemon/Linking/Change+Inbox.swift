import CutieAPI
import Inbox
import Store

extension Change {
    /// The shared inbox that this device is in, as far as it knows.
    static func inbox(of account: AccountID, in transaction: Transaction) throws -> String? {
        try transaction.setting(key(account))
    }

    mutating func joinInbox(_ group: String?) throws {
        guard let group, try Self.inbox(of: account, in: transaction) != group else { return }
        try Self.note(inbox: group, of: account, in: transaction)
        hasRegrouped = true
    }

    static func note(inbox group: String?, of account: AccountID, in transaction: Transaction) throws {
        try transaction.setSetting(key(account), to: group)
    }

    /// This device was taken out of the shared inbox: what it had of that is not the person's here any more.
    /// A first sync finds what the device has now.
    mutating func leaveInbox() throws {
        try transaction.forgetEverything(of: account)
        try Self.note(inbox: nil, of: account, in: transaction)
        hasRegrouped = true
        badge = Badge()
        hasRead = true
        try log("badge")
    }

    private static func key(_ account: AccountID) -> String { "inbox/\(account.rawValue)" }
}
