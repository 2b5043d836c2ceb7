import Access
import Accounts
import Attention
import Config
import ControlAPI
import CutieAPI
import HTTP
import Log
import Logging
import OAuth
import Platform
import Screen
import Store

/// What a configuration says to the rooms: all of it but the accounts.
///
/// Rooms are made without settings and get them by `DaemonProgram.follow` alone, at the start as at each reload: a
/// key that a reload forgets would not work at the start either.
struct Settings: Equatable {
    let notifications: NotificationConfiguration
    let rules: [Rule]
    /// Whether questions pop up.
    let questions: Bool
    let presence: Set<Configuration.Presence>
    /// What apps may ask for.
    let access: Configuration.Access
    let opener: [String]?
    let openMarksRead: Bool
    let secrets: Configuration.SecretStorage
    let replyHook: [String]?
    let historyDays: Int
    let logLevel: Logger.Level

    init(_ configuration: Configuration, _ options: DaemonOptions) {
        notifications = configuration.notifications
        rules = configuration.rules
        questions = configuration.questions
        presence = configuration.presence
        access = configuration.access
        opener = configuration.opener
        openMarksRead = configuration.openMarksRead
        secrets = configuration.secrets
        replyHook = configuration.hooks.onReply
        historyDays = configuration.history.days
        logLevel = options.level ?? configuration.level
    }
}

extension DaemonProgram {
    /// Gives each room what it works by.
    func follow(_ settings: Settings) {
        desktop.questions.mayPopUp = settings.questions
        core.presence.occasions = settings.presence
        offersAccess = settings.access.enabled
        access.remember = settings.access.remember
        access.directory.discovery = settings.access.discovery.flatMap { try? EndpointURL($0.description) }
        desktop.attention.apply(settings.notifications, rules: settings.rules)
        desktop.opener.command = settings.opener
        desktop.opener.marksRead = settings.openMarksRead
        accountServices.secretMover.choice = settings.secrets
        hook.command = settings.replyHook
        core.housekeeping.days = settings.historyDays
        core.threshold.level = settings.logLevel
    }

    /// Takes the configuration as it is now; throws `InvalidConfiguration` where it is refused, and `Failed`
    /// where the store cannot take it. Whatever it throws, the old one stays.
    func reload() throws {
        do {
            let configuration = try core.source.read(checks: .onDisk)
            try accountServices.apply(configuration.accounts)
            follow(Settings(configuration, core.source.options))
            core.logger.notice("configuration reloaded")
        } catch {
            core.logger.error(
                "the configuration was not taken; the old one stays", metadata: ["reason": "\(error)"])
            if error is StoreError { throw Failed(reason: "\(error)") }
            throw InvalidConfiguration(reason: "\(error)")
        }
    }
}

extension Configuration {
    /// `log_level`, over which the environment has its say; `info` without one.
    fileprivate var level: Logger.Level { logLevel.flatMap { Logger.Level(rawValue: $0.rawValue) } ?? .info }
}
