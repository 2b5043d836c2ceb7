import Config
import ControlAPI
package import Inbox
package import Log
import OAuth
@_spi(Accounts) import Store

/// Who speaks for an account that signs in, as its issuer told it. It stays while their session ends by itself.
package struct Speaker: Codable, Equatable, Sendable {
    /// What their messages are signed with.
    package let adminID: String
    /// Nothing can be assigned to a machine.
    package let isPerson: Bool

    package init(adminID: String, isPerson: Bool = true) {
        (self.adminID, self.isPerson) = (adminID, isPerson)
    }
}

/// Who spoke for an account, over restarts.
package struct SpeakerBook {
    private let account: Account
    private let ingest: Ingest
    private let current: Setting<Speaker>
    /// Also after they signed out: what is here was seen with their eyes.
    private let last: Setting<Speaker>

    init(of account: Account, ingest: Ingest) {
        (self.account, self.ingest) = (account, ingest)
        current = Setting("speaker", of: account.id)
        last = Setting("last-speaker", of: account.id)
    }

    /// nil: nobody has signed in, or they signed out.
    package func speaker() throws -> Speaker? { try ingest.store.read { try $0.settings.value(of: current) } }

    /// Takes note of who signed in, in one transaction with `body`; nil: they signed out. Where it is another person
    /// than before, what the former one had here goes, and a first sync finds what there is for this one.
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

    /// The same before the account is open: nothing is seen yet.
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

    /// Words must not go under another name than that of who wrote them, unless this one says so.
    private func holdOthersWords(in change: Change) throws {
        for var item in try change.transaction.outbox.items(of: account.id)
        where item.conversation != nil && item.state == .waiting {
            (item.state, item.error) = (.failed, "somebody else wrote this, who has signed out")
            _ = try change.transaction.outbox.update(item)
        }
        try change.log(.state)
    }

    /// With whose eyes the account's messages are seen.
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
    /// nil: nobody, or they signed out.
    var speaker: Speaker? { record?.speaker }
}

extension SessionRecord {
    /// nil: nobody, or they signed out.
    var speaker: Speaker? {
        guard state != .signedOut, let claims else { return nil }
        return Speaker(
            adminID: claims.adminID ?? claims.subject, isPerson: method != SignInMethod.client.rawValue)
    }
}

extension AccountUnit {
    package func speaker() throws -> Speaker? { try speakers.speaker() }

    /// Why what the person writes is not even kept; nil: it may be, and goes when it can.
    package func obstacleToWriting() throws -> String? {
        switch account.kind {
        case .device:
            feed.status.state == .stopped ? feed.status.reason ?? "the account is stopped" : nil
        case .staff, .identity:
            // To queue it would promise what does not happen before somebody signs in.
            try speaker() == nil ? signIn?.session.obstacle ?? "nobody is signed in" : nil
        }
    }
}
