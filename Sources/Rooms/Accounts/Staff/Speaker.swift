import Config
import ControlAPI
package import Inbox
package import Log
import OAuth
@_spi(Accounts) import Store

/// The user or machine that is signed in to an account, as reported by the issuer. Kept if the session ends
/// by itself.
package struct Speaker: Codable, Equatable, Sendable {
    /// The sender ID of the speaker's messages.
    package let adminID: String
    /// Whether the speaker is a person: conversations cannot be assigned to a machine.
    package let isPerson: Bool

    package init(adminID: String, isPerson: Bool = true) {
        (self.adminID, self.isPerson) = (adminID, isPerson)
    }
}

/// The users who have signed in to an account, stored across restarts.
package struct SpeakerBook {
    private let account: Account
    private let ingest: Ingest
    private let current: Setting<Speaker>
    /// The last user, kept after a sign-out because the stored messages were seen from that user's
    /// perspective.
    private let last: Setting<Speaker>

    init(of account: Account, ingest: Ingest) {
        (self.account, self.ingest) = (account, ingest)
        current = Setting("speaker", of: account.id)
        last = Setting("last-speaker", of: account.id)
    }

    /// Returns the current speaker; `nil` if no user has signed in, or the user signed out.
    package func speaker() throws -> Speaker? { try ingest.store.read { try $0.settings.value(of: current) } }

    /// Stores the speaker, in one transaction with `body`; `nil` after a sign-out. If the speaker is another
    /// one than before, deletes the previous one's data, and an initial sync loads the data of the new one.
    package func recognise(_ speaker: Speaker?, _ body: (Change) throws -> Void = { _ in }) throws {
        let (known, former) = try ingest.store.read {
            (try $0.settings.value(of: current), try $0.settings.value(of: last))
        }
        guard known != speaker else { return try ingest.change(account.id, body) }
        guard let speaker else {
            return try ingest.change(account.id) { change in
                try body(change)
                try change.transaction.settings.set(current, to: nil)
            }
        }
        let isAnother = former.map { $0.adminID != speaker.adminID } ?? false
        try ingest.see(account.id, with: perspective(of: speaker), anew: isAnother) { change in
            try body(change)
            try write(speaker, in: change.transaction)
            if isAnother { try holdOthersWords(in: change) }
        }
    }

    /// Stores the speaker like `recognise`, but before the account is open: no data has been read yet.
    func recogniseAtStart(_ speaker: Speaker?) throws {
        guard try self.speaker() != speaker else { return }
        try ingest.store.write { transaction in
            guard let speaker else { return try transaction.settings.set(current, to: nil) }
            try write(speaker, in: transaction)
        }
    }

    private func write(_ speaker: Speaker, in transaction: Transaction) throws {
        try transaction.settings.set(current, to: speaker)
        try transaction.settings.set(last, to: speaker)
    }

    /// Holds pending messages of another author, so that they are not sent under the new speaker's name
    /// without confirmation.
    private func holdOthersWords(in change: Change) throws {
        for var item in try change.transaction.outbox.items(of: account.id)
        where item.conversation != nil && item.state == .waiting {
            (item.state, item.error) = (.failed, "written by another user, who has signed out")
            _ = try change.transaction.outbox.update(item)
        }
        try change.log(.state)
    }

    /// Returns the perspective from which the account's messages are seen.
    package func perspective() throws -> Perspective {
        perspective(of: try ingest.store.read { try $0.settings.value(of: last) })
    }

    private func perspective(of speaker: Speaker?) -> Perspective {
        guard account.isOfStaff else { return .person }
        return .staff(
            .init(
                adminID: speaker?.adminID, isPerson: speaker?.isPerson ?? true,
                notify: account.configuration.notify))
    }
}

extension SignInSession {
    /// `nil` if no user has signed in, or the user signed out.
    var speaker: Speaker? { record?.speaker }
}

extension SessionRecord {
    /// `nil` if no user has signed in, or the user signed out.
    var speaker: Speaker? {
        guard state != .signedOut, let claims else { return nil }
        return Speaker(
            adminID: claims.adminID ?? claims.subject, isPerson: method != SignInMethod.client.rawValue)
    }
}

extension AccountUnit {
    package func speaker() throws -> Speaker? { try speakers.speaker() }

    /// Returns the reason why a new message is not even queued; `nil` if it can be queued and sent later.
    package func obstacleToWriting() throws -> String? {
        switch account.kind {
        case .device:
            feed.status.state == .stopped ? feed.status.reason ?? "the account is stopped" : nil
        case .staff, .identity:
            // Queueing would imply that the message is sent, which does not happen before a user signs in.
            try speaker() == nil ? signIn?.session.obstacle ?? SignInService.notSignedIn : nil
        }
    }
}
