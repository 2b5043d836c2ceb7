import ControlAPI
import ControlClient
import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    /// The kind of the home page, which is in the menu of users with sign-in accounts.
    static var home: PageKind {
        PageKind(id: "home", title: localized("Home"), menuTitle: localized("_Home"), needs: .account) {
            HomePage($0)
        }
    }
}

/// The home page: a greeting, and the open tasks per account. A click shows the account in the list.
final class HomePage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let context: PageContext
    private let machine: PageController<HomeState>
    private var shown: [HomeState.Row]?
    private var rows: [Ref] = []

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.home_ui)
        root = interface["page"]
        self.context = context
        machine = PageController(HomeState(), context: context) { daemon, call in
            switch call {
            case .session(let account):
                .session(try await daemon.call(GetSession(account: account)).reply.session)
            case .counts: .counts(try await daemon.call(GetStatus()).reply.accounts)
            case .services: .services(try await daemon.call(ListServices(mine: true)).reply.services)
            }
        }
        machine.show = { [unowned self] in showState() }
        interface["explore"].on("clicked") { [unowned self] _ in closeAndActivateAction(named: "search") }
        interface["show-services"].setAccessibleLabel(localized("Show apps and services"))
        interface["show-services"].on("clicked") { [unowned self] _ in
            closeAndActivateAction(named: "page", target: "apps")
        }
    }

    func close() { machine.close() }

    func render(_ inbox: InboxState) {
        machine.send(.show(inbox.accountViews, hour: inbox.hour, unread: inbox.unread))
    }

    private func showState() {
        interface["greeting"].text = machine.state.greeting
        let services = machine.state.servicesSentence
        interface["services-group"].isVisible = services != nil
        adw_action_row_set_subtitle(interface["services"](), services ?? "")
        guard machine.state.rows != shown else { return }
        shown = machine.state.rows
        let group = interface["accounts"]
        for row in rows { adw_preferences_group_remove(group(), row()) }
        rows = machine.state.rows.map(makeRow)
        for row in rows { adw_preferences_group_add(group(), row()) }
    }

    private func makeRow(for view: HomeState.Row) -> Ref {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_use_markup(row(), 0)
        adw_preferences_row_set_title(row(), view.title)
        adw_action_row_set_subtitle(row(), view.subtitle)
        if let count = view.count, count > 0 {
            let badge = Ref(gtk_label_new(String(count)))
            gtk_widget_set_valign(badge(), GTK_ALIGN_CENTER)
            gtk_widget_add_css_class(badge(), "unread-count")
            adw_action_row_add_suffix(row(), badge())
        }
        let button = Ref(gtk_button_new_from_icon_name("go-next-symbolic"))
        gtk_widget_set_valign(button(), GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(button(), "flat")
        button.setAccessibleLabel(
            view.isSignedOut
                ? localized("Sign in to {account}", ["account": view.title])
                : localized("Show {account}", ["account": view.title]))
        button.on("clicked") { [unowned self] _ in openAccount(of: view) }
        adw_action_row_add_suffix(row(), button())
        adw_action_row_set_activatable_widget(row(), button())
        return row
    }

    /// Shows the account in the list, or the sign-in page if the user is signed out of the account.
    private func openAccount(of view: HomeState.Row) {
        if view.isSignedOut { return closeAndActivateAction(named: "page", target: "sign-in") }
        context.controller.send(.filter(ListFilter(account: view.account)))
        closeAndActivateAction(named: "back")
    }

    /// Activates an action of the main window and closes the page.
    private func closeAndActivateAction(named action: String, target: String? = nil) {
        context.activate(action, target)
        gtk_widget_activate_action_variant(root(), "window.close", nil)
    }
}
