import ControlAPI
import ControlClient
import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    /// The kind of the statistics page, which is in the menu of support staff.
    static var statistics: PageKind {
        PageKind(
            id: "statistics", title: localized("Statistics"), menuTitle: localized("S_tatistics"),
            needs: .staffAccount
        ) {
            StatisticsPage($0)
        }
    }
}

/// The page of support statistics, as numbers and bars.
final class StatisticsPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let machine: PageController<StatisticsState>
    private let accounts: AccountChoice
    private let days: ChoiceRow<Int>
    private var names: [String] = []
    private var shown: StatisticsState.Phase?

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.statistics_ui)
        root = interface["page"]
        machine = PageController(StatisticsState(), context: context) { daemon, call in
            try await daemon.call(GetStatistics(days: call.days, account: call.account)).reply
        }
        accounts = AccountChoice(interface["accounts"])
        days = ChoiceRow(interface["days"])
        let choices = StatisticsState.choices.map { count in
            (
                value: count,
                caption: localized(one: "Last Day", other: "Last {count} Days", count: count)
            )
        }
        days.show(choices, selectedValue: machine.state.requestedCall.days)
        machine.show = { [unowned self] in showState() }
        days.onChoice { [unowned self] in machine.send(.days($0)) }
        accounts.onChange { [unowned self] in machine.send(.open(account: $0 ?? names.first)) }
    }

    func render(_ inbox: InboxState) {
        names = inbox.staffAccounts
        accounts.showAccounts(names, titlesFrom: inbox)
    }

    func close() { machine.close() }

    private func showState() {
        let phase = machine.state.phase
        guard phase != shown else { return }
        shown = phase
        let figures = interface["figures"]
        for child in figures.children { gtk_box_remove(figures(), child()) }
        var status: String?
        switch phase {
        case .loading: status = localized("Loading…")
        case .failed(let sentence): status = sentence
        case .ready(let found): showFigures(found, in: figures)
        }
        interface["status"].isVisible = status != nil
        interface["status"].text = status ?? ""
    }

    private func showFigures(_ figures: StatisticsState.Figures, in container: Ref) {
        let facts = Ref(adw_preferences_group_new())
        for fact in figures.facts {
            let value = Ref(gtk_label_new(fact.value))
            gtk_widget_add_css_class(value(), "title-3")
            adw_preferences_group_add(facts(), Self.makeRow(title: fact.title, suffix: value)())
        }
        gtk_box_append(container(), facts())
        for group in figures.groups {
            let bars = Ref(adw_preferences_group_new())
            adw_preferences_group_set_title(bars(), group.title)
            for bar in group.bars { adw_preferences_group_add(bars(), Self.makeRow(for: bar)()) }
            gtk_box_append(container(), bars())
        }
    }

    private static func makeRow(title: String, suffix: Ref) -> Ref {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_use_markup(row(), 0)
        adw_preferences_row_set_title(row(), title)
        adw_action_row_add_suffix(row(), suffix())
        return row
    }

    private static func makeRow(for bar: StatisticsState.Figures.Bar) -> Ref {
        let box = Ref(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 10))
        let level = Ref(gtk_level_bar_new())
        gtk_level_bar_set_value(level(), bar.share)
        // Remove the offsets, because GTK would otherwise draw a full bar in a warning color.
        for name in ["low", "high", "full"] { gtk_level_bar_remove_offset_value(level(), name) }
        gtk_widget_set_size_request(level(), 180, 12)
        gtk_widget_set_valign(level(), GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(level(), "statistic")
        let count = Ref(gtk_label_new(String(bar.count)))
        gtk_label_set_width_chars(count(), 5)
        gtk_label_set_xalign(count(), 1)
        gtk_widget_add_css_class(count(), "numeric")
        gtk_box_append(box(), level())
        gtk_box_append(box(), count())
        let row = makeRow(title: bar.title, suffix: box)
        row.setAccessibleLabel("\(bar.title), \(bar.count)")
        return row
    }
}
