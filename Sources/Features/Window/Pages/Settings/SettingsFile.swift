import Config
import ControlAPI
import ControlClient
import InboxModel
import Localization
import Platform
import Runtime
import Setup

/// Reads and writes all settings of the page, off the main actor. The daemon stores the notification
/// switch and the names of the user, the user manager stores whether the status icon is enabled, and
/// the configuration file contains all other settings.
nonisolated struct SettingsFile: Sendable {
    let file: ConfigurationFile
    let daemon: DaemonClient
    let service: DaemonService
    let units: UserUnits

    func readSettings() async -> SettingsState.Input {
        await withTaskExecutorPreference(EventLoop.shared) { await loadSettings() }
    }

    func saveSetting(_ setting: PreferenceChange) async -> SettingsState.Input {
        await withTaskExecutorPreference(EventLoop.shared) { await writeSetting(setting) }
    }

    @concurrent private func loadSettings() async -> SettingsState.Input {
        do {
            let text = try file.readText()
            let configuration: Configuration
            do { configuration = try text.makeConfiguration() } catch { throw SetupFailure.refused(error) }
            var values = SettingValues(configuration.notifications)
            values.enterSends = configuration.window.enterSends
            values.notificationsEnabled = try? await daemon.withoutRetries.call(Notifications()).reply.enabled
            values.names = try? await fetchUserNames()
            values.indicator = await units.isEnabled(Self.indicatorUnit)
            return .read(values)
        } catch let failure as SetupFailure {
            return .unreadable(failure.sentence)
        } catch {
            return .unreadable(CallFailure(error).sentence)
        }
    }

    private static let indicatorUnit = "cutied-indicator.service"

    /// Returns the name of the user in each device account.
    ///
    /// - Throws: an error if the daemon does not respond.
    private func fetchUserNames() async throws -> [SettingValues.UserName] {
        var names: [SettingValues.UserName] = []
        for account in try await daemon.withoutRetries.call(GetStatus()).reply.accounts
        where account.kind == .device {
            let user = try await daemon.withoutRetries.call(GetUser(account: account.name)).reply
            names.append(.init(account: account.name, name: user.userName ?? ""))
        }
        return names
    }

    @concurrent private func writeSetting(_ setting: PreferenceChange) async -> SettingsState.Input {
        do {
            guard let key = setting.key.flatMap({ ConfigurationKey($0) }) else {
                return try await saveSettingInDaemonOrSystemd(setting)
            }
            let change = ConfigurationChange(key, setting.value)
            return .saved(isForLater: try await service.apply([change], to: file) == .notRunning)
        } catch let failure as SetupFailure {
            return .refused(failure.sentence)
        } catch {
            return .refused(CallFailure(error).sentence)
        }
    }

    private func saveSettingInDaemonOrSystemd(_ setting: PreferenceChange) async throws -> SettingsState.Input
    {
        switch setting {
        case .notificationsEnabled(let isOn):
            _ = try await daemon.withoutRetries.call(Notifications(enabled: isOn))
        case .name(let account, let name):
            _ = try await daemon.withoutRetries.call(SetUser(userName: name, account: account))
        case .indicator(let isOn):
            do throws(UserUnits.UnitFailure) {
                if isOn {
                    try await units.enableAndStart([Self.indicatorUnit])
                } else {
                    try await units.disableAndStop([Self.indicatorUnit])
                }
            } catch { return .refused(Self.message(for: error)) }
        case .preview, .locked, .quietTime, .urgentBreaksQuiet, .sound, .systemMessages, .enterSends,
            .remindAfter, .remindWaiting:
            break
        }
        return .saved(isForLater: false)
    }

    private static func message(for failure: UserUnits.UnitFailure) -> String {
        if case .refused(let reason) = failure, !reason.isEmpty {
            return localized(
                "The setting for the status icon could not be changed: {reason}", ["reason": reason])
        }
        return localized("The setting for the status icon could not be changed.")
    }
}

nonisolated extension PreferenceChange {
    /// The key in the configuration file; `nil` for settings that are not stored in this file. The
    /// notification switch has no key, because `notifications.enabled` applies only until the user changes
    /// the switch for the first time.
    fileprivate var key: String? {
        switch self {
        case .preview: "notifications.preview"
        case .locked: "notifications.locked"
        case .quietTime: "notifications.quiet_hours"
        case .urgentBreaksQuiet: "notifications.urgent_breaks_quiet"
        case .sound: "notifications.sound"
        case .systemMessages: "notifications.system_messages"
        case .remindAfter: "notifications.remind_after"
        case .remindWaiting: "notifications.remind_waiting"
        case .enterSends: "window.enter_sends"
        case .notificationsEnabled, .name, .indicator: nil
        }
    }

    /// The value in the file; `nil` removes the key.
    fileprivate var value: ConfigurationValue? {
        switch self {
        case .urgentBreaksQuiet(let isOn), .systemMessages(let isOn), .enterSends(let isOn): .flag(isOn)
        case .preview(.full): .text("full")
        case .preview(.sender): .text("sender")
        case .preview(.count): .text("count")
        case .locked(.full): .text("full")
        case .locked(.sender): .text("sender")
        case .locked(.count): .text("count")
        case .locked(.hold): .text("hold")
        case .quietTime(let time):
            time?.value
        case .remindAfter(let seconds), .remindWaiting(let seconds):
            seconds.map { .text(TimeSpanText.formatDuration(seconds: $0)) }
        case .sound(.standard): .flag(true)
        case .sound(.none): .flag(false)
        case .sound(.named(let name)): .text(name)
        case .notificationsEnabled, .name, .indicator: nil
        }
    }
}

nonisolated extension SettingValues.QuietTime {
    fileprivate init?(_ hours: QuietHours) {
        guard let first = hours.periods.first else { return nil }
        self.init(
            from: first.from, to: first.to, days: Days(first),
            others: hours.periods.dropFirst().map(\.description))
    }

    /// The value in the file. An invalid period is written as an empty period, which the parser rejects with
    /// an error message.
    fileprivate var value: ConfigurationValue {
        let period = days.set.flatMap { QuietHours.Period(days: $0, from: from, to: to) }
        let first = ConfigurationValue.text(period?.description ?? "00:00-00:00")
        return others.isEmpty ? first : .list([first] + others.map { .text($0) })
    }
}

nonisolated extension SettingValues.QuietTime.Days {
    private static let saturdayAndSunday: Set<QuietHours.Weekday> = [.sat, .sun]

    fileprivate init(_ period: QuietHours.Period) {
        self =
            switch period.days {
            case QuietHours.Weekday.all: .every
            case Self.saturdayAndSunday: .weekend
            case QuietHours.Weekday.all.subtracting(Self.saturdayAndSunday): .weekdays
            default: .other(period.dayNames)
            }
    }

    /// The days as a set; `nil` if the text is invalid.
    fileprivate var set: Set<QuietHours.Weekday>? {
        switch self {
        case .every: QuietHours.Weekday.all
        case .weekend: Self.saturdayAndSunday
        case .weekdays: QuietHours.Weekday.all.subtracting(Self.saturdayAndSunday)
        case .other(let names): QuietHours.Period(names + " 00:00-00:01")?.days
        }
    }
}

nonisolated extension SettingValues {
    fileprivate init(_ configuration: NotificationConfiguration) {
        self.init()
        preview =
            switch configuration.preview {
            case .full: .full
            case .sender: .sender
            case .count: .count
            }
        locked =
            switch configuration.locked {
            case .full: .full
            case .sender: .sender
            case .count: .count
            case .hold: .hold
            }
        quietTime = configuration.quietHours.flatMap { QuietTime($0) }
        urgentBreaksQuiet = configuration.urgentBreaksQuiet
        sound =
            switch configuration.sound {
            case .standard: .standard
            case .none: .none
            case .named(let name): .named(name)
            }
        systemMessages = configuration.systemMessages
        remindAfter = configuration.remindAfter.map { Int($0.components.seconds) }
        remindWaiting = configuration.remindWaiting.map { Int($0.components.seconds) }
    }
}

/// Formats durations in the syntax of the configuration file, such as `90m`.
nonisolated enum TimeSpanText {
    /// Returns the duration in the largest exact unit, such as `4h` or `90m`.
    static func formatDuration(seconds: Int) -> String {
        for (unit, name) in [(86_400, "d"), (3600, "h"), (60, "m")] where seconds.isMultiple(of: unit) {
            return "\(seconds / unit)\(name)"
        }
        return "\(seconds)s"
    }
}
