import ControlClient
import CutieAPI
import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText
import Platform
import Runtime
import Setup

extension PageKind {
    static var setUp: PageKind {
        PageKind(id: setup, title: localized("Set Up"), menuTitle: nil, needs: .nothing) {
            SetupPage($0, isAddition: false)
        }
    }

    static var addAccount: PageKind {
        PageKind(id: "add-account", title: localized("Add Account"), menuTitle: nil, needs: .nothing) {
            SetupPage($0, isAddition: true)
        }
    }
}

/// The page that adds the first account or a further account. Writes the configuration and starts the daemon.
final class SetupPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let context: PageContext
    private let setup: AccountSetup
    private var state = SetupState()
    private var shown: SetupState?
    private var connections: [SignalConnection] = []

    private static let places = SetupState.APILocation.allCases

    init(_ context: PageContext, isAddition: Bool) {
        interface = WidgetTemplate(PackageResources.setup_ui)
        root = interface["page"]
        self.context = context
        setup = AccountSetup(
            file: ConfigurationFile(environment: context.environment),
            service: DaemonService(
                daemon: context.controller.daemon,
                units: UserUnits(environment: context.environment)),
            isAddition: isAddition)
        addAddressChoices()
        let (appID, place, address) = (interface["app-id"], interface["place"], interface["address"])
        connections = [
            appID.on("changed") { [unowned self] _ in handleInput(interface["app-id"].enteredText) },
            place.onChange(of: "selected") { [unowned self] in
                let index = Int(adw_combo_row_get_selected(interface["place"]()))
                if Self.places.indices.contains(index) { send(.place(Self.places[index])) }
            },
            address.on("changed") { [unowned self] _ in send(.address(interface["address"].enteredText)) },
            interface["staff"].onChange(of: "active") { [unowned self] in
                send(.staff(gtk_switch_get_active(interface["staff"]()) != 0))
            },
        ]
        for field in [appID, address] {
            field.on("entry-activated") { [unowned self] _ in send(.begin) }
        }
        interface["begin"].on("clicked") { [unowned self] _ in send(.begin) }
        if isAddition {
            adw_status_page_set_title(interface["welcome"](), localized("Add Account"))
            gtk_button_set_label(interface["begin"](), localized("_Add"))
            showState()
        } else {
            send(setup.found)
        }
    }

    func render(_ state: InboxState) {}

    func submit() { send(.begin) }

    var closeQuestion: Confirmation? { state.hasUnsavedText ? .discardChanges : nil }

    /// Fills in the values of a link, without submitting them.
    func fillInAppID(_ appID: String, apiAddress address: APIAddress?) {
        let place = address.map { AccountSetup.apiLocation(of: $0) }
        send(.link(appID: appID, place: place, address: address?.description ?? ""))
    }

    /// Fills in the link of an app, without submitting it.
    func fillInLink(_ link: DeepLink) {
        // Pass no address, because the link contains the address of the service.
        send(.link(appID: link.text, place: .hosted, address: ""))
    }

    private func handleInput(_ text: String) {
        // Parse only pasted text as a link, because the beginning of a typed link may already be a valid
        // link.
        let isPasted = text.count > state.appID.count + 1
        send(.appID(text))
        if isPasted, text.contains("://"), let entry = try? SetupEntry(text) {
            fillInAppID(entry.appID, apiAddress: entry.address)
        }
    }

    private func send(_ input: SetupState.Input) {
        for action in state.handle(input) {
            switch action {
            case .begin(let appID, let place, let address):
                startSetup(appID: appID, apiLocation: place, customAddress: address)
            }
        }
        showState()
    }

    private func startSetup(appID: String?, apiLocation: SetupState.APILocation, customAddress: String) {
        let taken = Set(context.controller.state.accounts)
        let request = AccountSetup.Request(
            appID: appID, place: apiLocation, address: customAddress, taken: taken,
            isDaemonRunning: context.controller.state.daemonView == .ready)
        Task { [weak self, setup] in
            let ending = await setup.setUpAccount(for: request)
            self?.handleResult(ending)
        }
    }

    private func handleResult(_ result: AccountSetup.Ending) {
        switch result {
        case .input(let input): send(input)
        case .begun(let outcome):
            send(.begun)
            if let window, !window.isA(gtk_application_window_get_type()) { gtk_window_close(window()) }
            handleOutcome(outcome)
        case .link(let token, let api, let outcome):
            send(.asked)
            // Create the dialog now, because the page is removed from the main window while the daemon
            // starts.
            let dialog = window.map { AppHandOverDialog(context.controller, window: $0) }
            handleOutcome(outcome)
            dialog?.askToAddApp(withToken: token, apiAddress: api, isDaemonStarting: true)
        }
    }

    private var window: Ref? { Ref(orNil: gtk_widget_get_root(root())) }

    private func handleOutcome(_ outcome: DaemonService.Outcome) {
        let controller = context.controller
        controller.send(.configured(true))
        switch outcome {
        case .reloaded, .started: controller.send(.daemonStarted)
        // Start the program directly, because the user manager has not started it.
        case .notRunning, .unmanaged: controller.send(.startDaemon)
        case .notStarted(let label):
            controller.send(
                .startFailed(localized("Cuti-E could not be started: {reason}", ["reason": label])))
        }
    }
}

// MARK: - Rendering

extension SetupPage {
    private func addAddressChoices() {
        let model = Ref(gtk_string_list_new(nil))
        for place in Self.places {
            let label =
                switch place {
                case .hosted: localized("Cuti-E")
                case .hostedSandbox: localized("Cuti-E Sandbox")
                case .other: localized("Other")
                }
            gtk_string_list_append(model(), label)
        }
        adw_combo_row_set_model(interface["place"](), model())
        g_object_unref(model.raw)
    }

    private func showState() {
        let before = shown
        shown = state
        if before == nil || before?.revision != state.revision {
            SignalConnection.withoutSignals(of: connections) {
                for (id, label) in [("app-id", state.appID), ("address", state.address)]
                where interface[id].enteredText != label {
                    gtk_editable_set_text(interface[id](), label)
                }
                gtk_switch_set_active(interface["staff"](), state.isStaff ? 1 : 0)
                let index = Self.places.firstIndex(of: state.place) ?? 0
                adw_combo_row_set_selected(interface["place"](), guint(index))
            }
        }
        let welcome = RoleDependentText.welcome.text(for: state.role)
        adw_status_page_set_description(interface["welcome"](), TextRun.markup(of: [TextRun(welcome)]))
        interface["app-id"].isVisible = !state.isStaff
        interface["place"].isVisible = !state.isLinkOfApp
        interface["address"].isVisible = state.place == .other && !state.isLinkOfApp
        interface["app-id"].setCSSClass("error", isSet: state.problems[.appID] != nil)
        interface["address"].setCSSClass("error", isSet: state.problems[.address] != nil)
        let problem = state.problems[.appID] ?? state.problems[.address] ?? state.failure
        interface["problem"].isVisible = problem != nil
        if let problem { interface["problem"].text = problem }
        interface["begin"].isSensitive = state.canSubmit
        let isWorking = state.phase != .asking
        // Move the focus first, because GTK 4.8 logs a warning if the focused entry becomes insensitive.
        if isWorking, before?.phase == .asking, let window = Ref(orNil: gtk_widget_get_root(root())) {
            gtk_window_set_focus(window(), nil)
        }
        interface["fields"].isSensitive = !isWorking
        // Replace the button with the spinner: below the button, the spinner would not be visible in a small
        // window.
        interface["begin"].isVisible = !isWorking
        interface["spinner"].isVisible = isWorking
        gtk_spinner_set_spinning(interface["spinner"](), isWorking ? 1 : 0)
        if before?.phase == .working, state.phase == .asking {
            let isAddress = state.problems[.address] != nil || state.isStaff
            interface[isAddress ? (state.place == .other ? "address" : "place") : "app-id"].grabFocus()
        }
    }
}
