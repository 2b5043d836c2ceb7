import Config
import ControlAPI
import Inbox
import Logging
import Platform
import Store

extension DaemonProgram {
    /// Takes the configuration as it is now; throws `InvalidConfiguration` where it is refused, and `Failed`
    /// where the store cannot take it. Whatever it throws, the old one stays.
    func reload() throws {
        do {
            try take(try core.source.read())
            core.logger.notice("configuration reloaded")
        } catch {
            core.logger.error(
                "the configuration was not taken; the old one stays", metadata: ["reason": "\(error)"])
            if error is StoreError { throw Failed(reason: "\(error)") }
            throw InvalidConfiguration(reason: "\(error)")
        }
    }

    func take(_ accounts: [AccountConfiguration]) throws {
        try keeper.apply(added.following(accounts))
        added.configured = accounts
    }

    private func take(_ configuration: Configuration) throws {
        try take(configuration.accounts)
        desktop.questions.mayPopUp = configuration.questions
        desktop.announcer.policy.configuration = configuration.notifications
        desktop.announcer.policy.rules = configuration.rules
        desktop.opener.command = configuration.opener
        desktop.opener.marksRead = configuration.openMarksRead
        secretMover.choice = configuration.secrets
        hook.command = configuration.hooks.onReply
        core.housekeeping.days = configuration.history.days
        core.threshold.level = core.source.options.level ?? configuration.level
    }
}
