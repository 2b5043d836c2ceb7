import Config
import Domain
package import EventLog
package import FeedPolicy
import OAuth
package import Reasons
@_spi(Accounts) import Store

/// The user or machine that is signed in to an account, as reported by the issuer. The stored value remains
/// if the session ends without a sign-out.
package struct SignedInUser: Codable, Equatable, Sendable {
    /// The sender ID in the user's messages.
    package let adminID: String
    /// Whether the user is a human. Conversations cannot be assigned to a machine.
    package let isPerson: Bool

    package init(adminID: String, isPerson: Bool = true) {
        (self.adminID, self.isPerson) = (adminID, isPerson)
    }
}

/// The users who have signed in to an account, stored across restarts.
package struct SignedInUserStore {
    private let account: Account
    private let ingest: Ingest
    private let current: StoredSetting<SignedInUser>
    /// The user who signed in last. The stored value remains after a sign-out, because the stored
    /// messages are those that this user was allowed to see.
    private let last: StoredSetting<SignedInUser>

    init(of account: Account, ingest: Ingest) {
        (self.account, self.ingest) = (account, ingest)
        current = StoredSetting("speaker", of: account.id)
        last = StoredSetting("last-speaker", of: account.id)
    }

    /// Returns the signed-in user; `nil` if no user has signed in, or the user signed out.
    package func readSignedInUser() throws -> SignedInUser? {
        try ingest.store.read { try $0.settings.fetchValue(of: current) }
    }

    /// Stores the signed-in user (`nil` after a sign-out) and the changes of `body` in one transaction.
    /// If another user was signed in before, deletes the history, which a first sync then fetches for the
    /// new user, and marks the pending messages of the previous user as failed.
    package func setSignedInUser(
        _ signedInUser: SignedInUser?, _ body: (AccountTransaction) throws -> Void = { _ in }
    ) throws {
        let (known, former) = try ingest.store.read {
            (try $0.settings.fetchValue(of: current), try $0.settings.fetchValue(of: last))
        }
        guard known != signedInUser else { return try ingest.performChange(on: account.id, body) }
        guard let signedInUser else {
            return try ingest.performChange(on: account.id) { change in
                try body(change)
                try change.transaction.settings.setValue(of: current, to: nil)
            }
        }
        let isAnother = former.map { $0.adminID != signedInUser.adminID } ?? false
        try ingest.changePerspective(
            of: account.id, to: perspective(of: signedInUser), resettingHistory: isAnother
        ) { change in
            try body(change)
            try write(signedInUser, in: change.transaction)
            if isAnother { try failItemsOfOtherUsers(in: change) }
        }
    }

    /// Stores the signed-in user like `setSignedInUser`, at startup, before the account is open.
    func restoreSignedInUser(_ signedInUser: SignedInUser?) throws {
        guard try self.readSignedInUser() != signedInUser else { return }
        try ingest.store.write { transaction in
            guard let signedInUser else { return try transaction.settings.setValue(of: current, to: nil) }
            try write(signedInUser, in: transaction)
        }
    }

    private func write(_ signedInUser: SignedInUser, in transaction: Transaction) throws {
        try transaction.settings.setValue(of: current, to: signedInUser)
        try transaction.settings.setValue(of: last, to: signedInUser)
    }

    /// Marks the pending messages of the previous user as failed, so that they are not sent in the name of
    /// the new user without confirmation.
    private func failItemsOfOtherUsers(in change: AccountTransaction) throws {
        for var item in try change.transaction.outbox.fetchItems(of: account.id)
        where item.conversation != nil && item.state == .waiting {
            (item.state, item.error) = (.failed, Reason(.writtenByAnotherUser))
            _ = try change.transaction.outbox.update(item)
        }
        try change.log(.state)
    }

    /// Returns the perspective from which the account's messages are seen.
    package func currentPerspective() throws -> Perspective {
        perspective(of: try ingest.store.read { try $0.settings.fetchValue(of: last) })
    }

    private func perspective(of signedInUser: SignedInUser?) -> Perspective {
        guard account.isStaff else { return .user }
        return .staff(
            .init(
                adminID: signedInUser?.adminID, isPerson: signedInUser?.isPerson ?? true,
                notify: account.configuration.notify))
    }
}

extension SignInSession {
    /// The signed-in user; `nil` if no user has signed in, or the user signed out.
    var signedInUser: SignedInUser? { record?.signedInUser }
}

extension SessionRecord {
    /// The signed-in user; `nil` if no user has signed in, or the user signed out.
    var signedInUser: SignedInUser? {
        guard state != .signedOut, let claims else { return nil }
        return SignedInUser(
            adminID: claims.adminID ?? claims.subject, isPerson: method != SignInMethod.client.rawValue)
    }
}

extension AccountUnit {
    package func readSignedInUser() throws -> SignedInUser? { try signedInUserStore.readSignedInUser() }

    /// Returns the reason why a new message cannot be queued; `nil` if it can be queued.
    package func reasonMessagesCannotBeQueued() throws -> Reason? {
        switch account.kind {
        case .device:
            feed.status.state == .stopped ? feed.status.reason ?? Reason(.accountStopped) : nil
        case .staff, .identity:
            // Reject the message: a queued message would wait for a sign-in, although the user expects it to
            // be sent.
            try readSignedInUser() == nil ? signIn?.session.obstacle ?? SignInService.notSignedIn : nil
        }
    }
}
