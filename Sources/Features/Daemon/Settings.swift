import Access
import Accounts
import Config
import CutieAPI
import Domain
import EventLog
import HTTP
import Logging
import NotificationPolicy
import Notifications
import OAuth
import Platform
import Reasons
import Store
import Systemd

/// All settings of a configuration except the accounts.
///
/// Services receive their settings only through `DaemonProgram.applySettings`, at startup and on each
/// reload. If `applySettings` omits a setting, the setting does not work at startup either, so tests
/// detect the omission early.
struct Settings: Equatable {
    let notifications: NotificationConfiguration
    let rules: [Rule]
    /// Whether questions are shown as notifications.
    let questions: Bool
    let presence: Set<Configuration.PresenceAction>
    /// The settings for the access of apps.
    let access: Configuration.Access
    let opener: [String]?
    let openMarksRead: Bool
    let secrets: Configuration.SecretStorage
    let replyHook: [String]?
    let historyDays: Int
    let logLevel: Logger.Level

    init(_ configuration: Configuration, options: DaemonOptions) {
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
    /// Passes the settings to the services.
    func applySettings(_ settings: Settings) {
        desktop.questions.showsQuestions = settings.questions
        core.presence.protectedActions = settings.presence
        offersAccess = settings.access.enabled
        access.grantLifetime = settings.access.remember
        access.directory.discovery = settings.access.discovery.flatMap { try? EndpointURL($0.description) }
        desktop.notificationController.apply(settings.notifications, rules: settings.rules)
        desktop.opener.command = settings.opener
        desktop.opener.marksRead = settings.openMarksRead
        core.secretMover.choice = settings.secrets
        hook.command = settings.replyHook
        core.housekeeping.historyDays = settings.historyDays
        core.threshold.level = settings.logLevel
    }

    /// Reads and applies the configuration. On any error, the previous configuration stays in use.
    ///
    /// - Throws: `invalidConfiguration` if the configuration is invalid, `failed` if it cannot be stored.
    func reloadConfiguration() throws {
        do {
            let programs = InstalledPrograms(environment: core.source.options.environment)
            let configuration = try core.source.read(checks: .onDisk { programs.path(ofProgram: $0) })
            // Reject a configuration without accounts if the previous configuration had accounts, because a
            // mistake in the file must not remove all accounts.
            guard !configuration.accounts.isEmpty || accountServices.added.configured.isEmpty else {
                throw StartFailure.invalidConfiguration(Reason(.appIDMissing))
            }
            try accountServices.applyAccounts(configuration.accounts)
            applySettings(Settings(configuration, options: core.source.options))
            logReload()
            core.logger.notice("configuration reloaded")
        } catch {
            core.logger.error(
                "the configuration was not accepted; the previous one remains in effect",
                metadata: ["reason": "\(error)"])
            if let error = error as? StoreError { throw ServiceError.failed(reason: error.reason) }
            throw ServiceError.invalidConfiguration(reason: Reason(describing: error))
        }
    }

    /// Adds a log entry, so that windows show the new settings. An error of the store does not revert the
    /// settings.
    private func logReload() {
        do { try desktop.notificationController.saveChange { _ in } } catch {
            core.logger.warning("the reload could not be logged", metadata: ["reason": "\(error)"])
        }
    }
}

extension Configuration {
    /// The `log_level`, which the environment may override; `info` if it is not set.
    fileprivate var level: Logger.Level { logLevel.flatMap { Logger.Level(rawValue: $0.rawValue) } ?? .info }
}
