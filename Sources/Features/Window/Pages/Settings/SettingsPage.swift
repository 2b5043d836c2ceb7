import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText
import Platform
import Setup

extension PageKind {
    static var settings: PageKind {
        PageKind(
            id: "settings", title: localized("Settings"), menuTitle: nil, needs: .nothing
        ) {
            SettingsPage($0)
        }
    }
}

/// The page of settings and of the user's name in each account. Each change is saved immediately.
final class SettingsPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let context: PageContext
    private let file: SettingsFile
    private var state = SettingsState()
    private var shown: SettingsState.Phase?
    private var revision: Int
    private var connections: [SignalConnection] = []
    private let (preview, sound): (ChoiceRow<SettingValues.Preview>, ChoiceRow<SettingValues.Sound>)
    private let locked: ChoiceRow<SettingValues.LockScreenPreview>
    private let (remindAfter, remindWaiting): (ChoiceRow<Int?>, ChoiceRow<Int?>)
    private let (from, to): (ChoiceRow<Int>, ChoiceRow<Int>)
    private let days: ChoiceRow<SettingValues.QuietTime.Days>
    private let rows: [PreferenceChange.Topic: SettingRow]
    private var names: [NameRow] = []

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.settings_ui)
        root = interface["page"]
        self.context = context
        revision = context.controller.state.settingsRevision
        let daemon = context.controller.daemon
        let units = UserUnits(environment: context.environment)
        file = SettingsFile(
            file: ConfigurationFile(environment: context.environment), daemon: daemon,
            service: DaemonService(daemon: daemon, units: units), units: units)
        preview = ChoiceRow(interface["preview"])
        sound = ChoiceRow(interface["sound"])
        locked = ChoiceRow(interface["locked"])
        (remindAfter, remindWaiting) = (
            ChoiceRow(interface["remind-after"]), ChoiceRow(interface["remind-waiting"])
        )
        (from, to) = (ChoiceRow(interface["from"]), ChoiceRow(interface["to"]))
        days = ChoiceRow(interface["days"])
        rows = [
            .notificationsEnabled: SettingRow(interface["popups-row"]),
            .preview: SettingRow(interface["preview"]),
            .locked: SettingRow(interface["locked"]),
            .sound: SettingRow(interface["sound"]), .systemMessages: SettingRow(interface["system-row"]),
            .indicator: SettingRow(interface["indicator-row"]),
            .quietTime: SettingRow(interface["quiet-row"]),
            .urgentBreaksQuiet: SettingRow(interface["urgent-row"]),
            .enterSends: SettingRow(interface["enter-row"]),
            .remindAfter: SettingRow(interface["remind-after"]),
            .remindWaiting: SettingRow(interface["remind-waiting"]),
        ]
        connectSignals()
        send(.open)
    }

    private func connectSignals() {
        let flags: [(String, (Bool) -> PreferenceChange)] = [
            ("popups", { .notificationsEnabled($0) }), ("urgent", { .urgentBreaksQuiet($0) }),
            ("system", { .systemMessages($0) }), ("indicator", { .indicator($0) }),
            ("enter", { .enterSends($0) }),
            ("quiet", { [unowned self] in .quietTime($0 ? state.offeredQuietTime : nil) }),
        ]
        connections = flags.map { id, setting in
            let widget = interface[id]
            return widget.onChange(of: "active") { [unowned self] in
                send(.change(setting(gtk_switch_get_active(widget()) != 0)))
            }
        }
        preview.onChoice { [unowned self] in send(.change(.preview($0))) }
        locked.onChoice { [unowned self] in send(.change(.locked($0))) }
        remindAfter.onChoice { [unowned self] in send(.change(.remindAfter($0))) }
        remindWaiting.onChoice { [unowned self] in send(.change(.remindWaiting($0))) }
        sound.onChoice { [unowned self] in send(.change(.sound($0))) }
        from.onChoice { [unowned self] in changeQuietTime(start: $0) }
        to.onChoice { [unowned self] in changeQuietTime(end: $0) }
        days.onChoice { [unowned self] in changeQuietTime(days: $0) }
        interface["retry"].on("clicked") { [unowned self] _ in send(.open) }
        interface["add-account"].on("clicked") { [context] _ in context.activate("page", "add-account") }
        root.on("realize") { [weak self] _ in self?.rereadValuesWhenWindowBecomesActive() }
    }

    /// Reads the values again when the window becomes active, because the feedback form, `ctl` or an editor
    /// may have changed them.
    private func rereadValuesWhenWindowBecomesActive() {
        guard let window = Ref(orNil: gtk_widget_get_root(root())) else { return }
        window.onChange(of: "is-active") { [weak self] in
            if gtk_window_is_active(window()) != 0 { self?.send(.open) }
        }
    }

    private func changeQuietTime(
        start: Int? = nil, end: Int? = nil, days: SettingValues.QuietTime.Days? = nil
    ) {
        guard var time = state.shown.quietTime else { return }
        (time.from, time.to, time.days) = (start ?? time.from, end ?? time.to, days ?? time.days)
        send(.change(.quietTime(time)))
    }

    func render(_ state: InboxState) {
        guard revision != state.settingsRevision else { return }
        revision = state.settingsRevision
        send(.open)
    }

    private func send(_ input: SettingsState.Input) {
        for action in state.handle(input) {
            switch action {
            case .read:
                Task { [weak self, file] in
                    let input = await file.readSettings()
                    self?.send(input)
                }
            case .save(let setting):
                Task { [weak self, file] in
                    let input = await file.saveSetting(setting)
                    self?.send(input)
                }
            case .showToast(let sentence): context.showToast(sentence)
            }
        }
        showState()
    }
}

// MARK: - Rendering

extension SettingsPage {
    private func showState() {
        if case .unreadable(let sentence) = state.phase {
            adw_status_page_set_description(
                interface["unreadable"](), TextRun.markup(of: [TextRun(sentence)]))
        }
        let isUnreadable = if case .unreadable = state.phase { true } else { false }
        gtk_stack_set_visible_child_name(root(), isUnreadable ? "unreadable" : "settings")
        root.isSensitive = state.phase != .reading
        guard state.phase == .ready else { return }
        context.controller.send(.enterSends(state.shown.enterSends))
        SignalConnection.withoutSignals(of: connections) { showFlags(state.shown) }
        showChoices(state.shown)
        showNames(state.shown.names)
        showProblems()
    }

    private func showFlags(_ values: SettingValues) {
        interface["indicator-row"].isVisible = values.indicator != nil
        interface["popups-row"].isSensitive = values.notificationsEnabled != nil
        let flags = [
            "popups": values.notificationsEnabled ?? true, "urgent": values.urgentBreaksQuiet,
            "system": values.systemMessages, "indicator": values.indicator ?? false,
            "enter": values.enterSends,
            "quiet": values.quietTime != nil,
        ]
        for (id, isOn) in flags where (gtk_switch_get_active(interface[id]()) != 0) != isOn {
            gtk_switch_set_active(interface[id](), isOn ? 1 : 0)
        }
    }

    private func showChoices(_ values: SettingValues) {
        preview.show(
            [
                (.full, localized("Sender and Message")), (.sender, localized("Sender Only")),
                (.count, localized("Count Only")),
            ], selectedValue: values.preview)
        locked.show(
            [
                (.full, localized("Sender and Message")), (.sender, localized("Sender Only")),
                (.count, localized("Count Only")), (.hold, localized("Nothing Until Unlocked")),
            ], selectedValue: values.locked)
        var sounds: [(SettingValues.Sound, String)] = [
            (.standard, localized("Desktop Default")), (.none, localized("None")),
        ]
        if case .named(let name) = values.sound { sounds.append((values.sound, name)) }
        sound.show(sounds, selectedValue: values.sound)
        showReminders(values)
        let time = values.quietTime
        for row in [interface["days"], interface["from"], interface["to"], interface["urgent-row"]] {
            row.isVisible = time != nil
        }
        interface["other-periods"].isVisible = time?.others.isEmpty == false
        if let time {
            adw_action_row_set_subtitle(
                interface["other-periods"](),
                TextRun.markup(of: [TextRun(time.others.joined(separator: "\n"))]))
            var choices: [(SettingValues.QuietTime.Days, String)] = [
                (.every, localized("Every day")), (.weekdays, localized("Monday to Friday")),
                (.weekend, localized("Saturday and Sunday")),
            ]
            if case .other(let names) = time.days { choices.append((time.days, names)) }
            days.show(choices, selectedValue: time.days)
            from.show(Self.timeChoices(including: time.from), selectedValue: time.from)
            to.show(Self.timeChoices(including: time.to), selectedValue: time.to)
        }
    }

    /// Shows the reminder settings that apply to the roles of the user.
    private func showReminders(_ values: SettingValues) {
        let reader = context.controller.state.role
        interface["remind-after"].isVisible = reader != .user
        interface["remind-waiting"].isVisible = reader != .staff
        remindAfter.show(Self.delayChoices(including: values.remindAfter), selectedValue: values.remindAfter)
        remindWaiting.show(
            Self.delayChoices(including: values.remindWaiting), selectedValue: values.remindWaiting)
    }

    /// Returns delays in seconds (`nil` for never) with their captions: some common delays, and the
    /// configured delay.
    private static func delayChoices(including seconds: Int?) -> [(Int?, String)] {
        var delays = [3600, 4 * 3600, 86_400, 3 * 86_400]
        if let seconds, !delays.contains(seconds) { delays.append(seconds) }
        return [(nil, localized("Never"))] + delays.map { ($0, SettingValues.delayText(seconds: $0)) }
    }

    /// Returns times in minutes since midnight with their captions: every half hour, and the configured
    /// time.
    private static func timeChoices(including minute: Int) -> [(Int, String)] {
        Set(stride(from: 0, to: 24 * 60, by: 30)).union([minute]).sorted().map { minute in
            (minute, TimeFormatter.local.clockText(hour: minute / 60, minute: minute % 60))
        }
    }

    private func showNames(_ userNames: [SettingValues.UserName]?) {
        let now = userNames ?? []
        interface["names-unknown"].isVisible = userNames == nil
        if names.map(\.account) != now.map(\.account) {
            for row in names { adw_preferences_group_remove(interface["names"](), row.root()) }
            names = now.map { name in
                let title = context.controller.state.title(of: name.account)
                return NameRow(name.account, title: title, isAlone: now.count == 1) { [unowned self] in
                    send(.change(.name(account: name.account, $0)))
                }
            }
            for row in names { adw_preferences_group_add(interface["names"](), row.root()) }
        }
        for (row, name) in zip(names, now) { row.show(name) }
        interface["names"].isVisible = userNames?.isEmpty != true
    }

    /// Shows the errors of rejected settings, whose rows show the old values again.
    private func showProblems() {
        for (topic, row) in rows { row.show(problem: state.problems[topic]) }
        let sentences = names.compactMap { row in
            let sentence = state.problems[.name(account: row.account)]
            row.root.setCSSClass("error", isSet: sentence != nil)
            return sentence
        }
        let sentence = sentences.joined(separator: "\n")
        interface["problem"].isVisible = !sentence.isEmpty
        interface["problem"].text = sentence
    }
}
