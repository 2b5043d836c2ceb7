import Config
import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Platform

/// What the person meets on the desktop: pop-ups and what they open, and what decides whether any are shown.
struct DesktopServices {
    let notifier = Notifier(applicationName: Product.title)
    let avatars: Avatars
    let announcer: Announcer
    let switches: Switches
    let opener: Opener
    let questions: Questions
    let disconnection: DisconnectionNotice

    init(_ configuration: Configuration, on core: DaemonCore) throws {
        let (store, ingest, accounts) = (core.store, core.ingest, core.accounts)
        let (surroundings, logger) = (core.surroundings, core.logger)
        avatars = Avatars(
            directory: core.source.paths.cacheDirectory, transport: core.transport,
            surroundings: surroundings, logger: logger)
        announcer = Announcer(
            store: store, head: ingest.head, reads: ingest.reads, notifier: notifier,
            policy: Policy(configuration.notifications, rules: configuration.rules),
            session: SessionIdentity(environment: core.environment), avatars: avatars,
            isOpen: { ingest.isOpen($0) }, surroundings: surroundings, logger: logger)
        switches = try Switches(
            ingest: ingest, announcer: announcer, surroundings: surroundings,
            bootID: announcer.identity.bootID)
        opener = Opener(command: configuration.opener, environment: core.environment, logger: logger)
        opener.marksRead = configuration.openMarksRead
        let (policy, session) = ({ [announcer] in announcer.policy }, announcer.session(heardOf:))
        questions = try Questions(
            store: store, notifier: notifier, policy: policy, session: session,
            mayPopUp: configuration.questions, surroundings: surroundings, logger: logger)
        disconnection = DisconnectionNotice(
            store: store, notifier: notifier, outages: { accounts.outages },
            reconnect: { for unit in accounts.units { try unit.reconnect() } },
            policy: policy, session: session, surroundings: surroundings, logger: logger)
        connect(to: core)
    }

    /// Who asks whom, and who hears what from whom.
    private func connect(to core: DaemonCore) {
        let accounts = core.accounts
        avatars.origins = { accounts.units.map { "\($0.account.address.origin)" } }
        core.ingest.ignores = { [announcer] message, conversation, account in
            let appID = accounts[account]?.account.credential.appID
            return announcer.policy.ignores(Subject(message, in: conversation, appID: appID))
        }
        core.ingest.joined = { [announcer] in try announcer.takeInHand($0) }
        opener.onFailure = { [notifier, logger = core.logger] in
            await notifier.tell(.notice("That could not be opened", $0, category: "im.error"), logger)
        }
        core.ingest.states.followers.append(disconnection.changes)
        announcer.onReconsider = { [questions, disconnection] in
            questions.reconsider()
            disconnection.changes.advance()
        }
        announcer.onReply = { [questions] in await questions.makeRoom() }
        announcer.onSettled = { [questions] in questions.repliesMayBeOver() }
        questions.areRepliesFirst = { [announcer] in try announcer.areRepliesFirst() }
        announcer.onServerLost = { [questions, disconnection] in
            questions.serverLost()
            disconnection.serverLost()
        }
    }
}
