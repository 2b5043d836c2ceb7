import Accounts
import CutieAPI
import Reasons
package import Store

/// An outbox item with the fields that clients receive.
package nonisolated struct OutboxEntry: Sendable {
    package var record: OutboxRecord
    /// The name of the account, even if the account is no longer configured.
    package let account: String
    package var text: String?

    init(_ record: OutboxRecord, account: String) {
        (self.record, self.account) = (record, account)
        text = (try? JSON.decode(OutboxPayload.self, from: record.payload.utf8))?.text
    }

    /// Creates the item of an account that is no longer configured.
    init(orphaned record: OutboxRecord, by account: String) {
        self.init(record, account: account)
        (self.record.state, self.record.nextAttemptAt) = (.failed, nil)
        self.record.error = Reason(.accountRemoved, ["account": account])
    }
}
