import Config
import ControlAPI
package import Inbox
import Log
import Logging
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

    /// Takes note of who signed in; nil: they signed out. Where it is another person than before, what the former
    /// one had here goes, and a first sync finds what there is for this one.
    package func recognise(_ speaker: Speaker?) throws {
        let (known, former) = try ingest.store.read {
            (try $0.settings.value(of: current), try $0.settings.value(of: last))
        }
        guard known != speaker else { return }
        try ingest.store.write { transaction in
            try transaction.settings.set(current, to: speaker)
            if let speaker { try transaction.settings.set(last, to: speaker) }
        }
        guard let speaker else { return }
        let isAnother = former.map { $0.adminID != speaker.adminID } ?? false
        if isAnother { try holdOthersWords() }
        try ingest.see(account.id, with: perspective(), anew: isAnother)
    }

    /// The same for who cannot do anything about a failure.
    func note(_ speaker: Speaker?, _ logger: Logger) {
        do { try recognise(speaker) } catch {
            logger.error("who signed in is not noted", metadata: ["reason": "\(error)"])
        }
    }

    /// Words must not go under another name than that of who wrote them, unless this one says so.
    private func holdOthersWords() throws {
        try ingest.log(.state) { transaction in
            for var item in try transaction.outbox.items(of: account.id)
            where item.conversation != nil && item.state == .waiting {
                (item.state, item.error) = (.failed, "somebody else wrote this, who has signed out")
                _ = try transaction.outbox.update(item)
            }
        }
    }

    /// With whose eyes the account's messages are seen.
    package func perspective() throws -> Perspective {
        guard account.isOfStaff else { return .person }
        let speaker = try ingest.store.read { try $0.settings.value(of: last) }
        return .staff(
            .init(
                adminID: speaker?.adminID, isPerson: speaker?.isPerson ?? true,
                notify: account.configuration.notify))
    }
}

extension SignInSession {
    /// nil: nobody, or they signed out.
    var speaker: Speaker? {
        claims.map { Speaker(adminID: $0.adminID ?? $0.subject, isPerson: method != .client) }
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
