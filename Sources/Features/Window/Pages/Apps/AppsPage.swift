import ControlAPI
import ControlClient
import Gtk
import InboxModel
import Libadwaita
import Localization
import Reasons

extension PageKind {
    static var apps: PageKind {
        PageKind(
            id: "apps", title: localized("Apps and Permissions"),
            menuTitle: localized("_Apps and Permissions"),
            needs: .daemon
        ) { AppsPage($0) }
    }
}

/// The page with the permissions of apps and the known services, which the user can revoke or forget.
final class AppsPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let machine: PageController<AccessState>
    private let context: PageContext
    private var shown: AccessState?
    private var rows: [(group: Ref, row: Ref)] = []
    private var revision: Int?

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.apps_ui)
        root = interface["page"]
        self.context = context
        machine = PageController(AccessState(), context: context) { daemon, call in
            try await daemon.sendRequest(call)
        }
        machine.show = { [unowned self] in showState() }
        connectSignals()
    }

    private func connectSignals() {
        let (search, address) = (interface["search"], interface["address"])
        search.on("search-changed") { [unowned self] _ in machine.send(.words(search.enteredText)) }
        address.on("changed") { [unowned self] _ in machine.send(.place(address.enteredText)) }
        address.on("entry-activated") { [unowned self] _ in machine.send(.discover) }
        interface["discover"].on("clicked") { [unowned self] _ in machine.send(.discover) }
    }

    /// Reloads the page when permissions have changed, because the user answered a question or another
    /// program revoked a permission.
    func render(_ state: InboxState) {
        guard revision != state.accessRevision else { return }
        revision = state.accessRevision
        machine.send(.load)
    }

    func close() { machine.close() }
}

nonisolated extension DaemonClient {
    private func decodeLossReasons(from reply: RevokeGrant.Reply) -> [Reason] {
        decodeReasons(from: reply.lostReasons, fallbackMessages: reply.lost)
    }

    @concurrent fileprivate func sendRequest(_ request: AccessState.Call) async throws
        -> AccessState.CallReply
    {
        switch request {
        case .list:
            let grants = try await call(ListGrants()).reply.grants
            return .listed(grants, try await call(ListServices()).reply.services)
        case .losses(.app(let grant)):
            let forgetting = AccessState.Target.app(grant).isHistory
            return .lost(
                decodeLossReasons(
                    from: try await call(RevokeGrant(app: grant.app, dryRun: true, forget: forgetting)).reply)
            )
        case .losses(.service(let service)):
            return .lost(
                decodeLossReasons(
                    from: try await call(
                        ForgetService(service: service.link, dryRun: true, account: service.account)
                    ).reply))
        case .revoke(.app(let grant), let forgetting):
            return .lost(
                decodeLossReasons(from: try await call(RevokeGrant(app: grant.app, forget: forgetting)).reply)
            )
        case .revoke(.service(let service), _):
            return .lost(
                decodeLossReasons(
                    from: try await call(ForgetService(service: service.link, account: service.account)).reply
                ))
        case .discover(let place):
            let url = place.isEmpty ? nil : place
            let reply = try await call(DiscoverServices(url: url)).reply
            return .found(
                reply.services.count,
                problems: decodeReasons(from: reply.problemReasons, fallbackMessages: reply.problems ?? []))
        }
    }
}

// MARK: - Rendering

extension AppsPage {
    private func showState() {
        let (before, state) = (shown, machine.state)
        shown = state
        let isOther =
            before?.phase != state.phase || before?.grants != state.grants
            || before?.services != state.services || before?.problemText != state.problemText
        if isOther { showRows(state) }
        interface["search"].isVisible = state.hasServices
        interface["discover"].isSensitive = !state.isDiscovering
        if before?.place != state.place, state.place.isEmpty, !interface["address"].enteredText.isEmpty {
            gtk_editable_set_text(interface["address"](), "")
        }
        if let loss = state.loss, before?.loss == nil { askToConfirmRevocation(effects: loss) }
    }

    private func showRows(_ state: AccessState) {
        for (group, row) in rows { adw_preferences_group_remove(group(), row()) }
        rows = []
        let formatter = TimeFormatter.local
        for grant in state.grants { addGrantRow(GrantRow(grant, formatter: formatter), target: .app(grant)) }
        let isSeveral = Set(state.services.map(\.account)).count > 1
        for service in state.services {
            let row = ServiceRow(
                service, account: isSeveral ? context.controller.state.title(of: service.account) : nil,
                formatter: formatter)
            addRow(
                RemovableRow.makeRow(title: row.title, subtitle: row.subtitle, removalLabel: row.removal) {
                    [unowned self] in machine.send(.revoke(.service(service)))
                }, toGroup: "services")
        }
        showText(
            statusText(
                of: state, isEmpty: state.grants.isEmpty,
                emptyMessage: localized("No app has requested access yet.")),
            inWidget: "status")
        let none =
            state.hasServices ? localized("No matching services.") : localized("No services are known yet.")
        interface["services"].isVisible = !state.services.isEmpty
        showText(state.phase == .ready && state.services.isEmpty ? none : nil, inWidget: "services-status")
        showText(state.problemText, inWidget: "services-problems")
    }

    private func statusText(of state: AccessState, isEmpty: Bool, emptyMessage: String) -> String? {
        switch state.phase {
        case .loading: localized("Loading…")
        case .failed(let sentence): sentence
        case .ready: isEmpty ? emptyMessage : nil
        }
    }

    private func showText(_ text: String?, inWidget id: String) {
        interface[id].isVisible = text != nil
        interface[id].text = text ?? ""
    }

    private func addGrantRow(_ row: GrantRow, target: AccessState.Target) {
        guard let removal = row.removal else {
            let plain = Ref(adw_action_row_new())
            adw_preferences_row_set_use_markup(plain(), 0)
            adw_preferences_row_set_title(plain(), row.title)
            adw_action_row_set_subtitle(plain(), row.subtitle)
            return addRow(plain, toGroup: "apps")
        }
        addRow(
            RemovableRow.makeRow(title: row.title, subtitle: row.subtitle, removalLabel: removal) {
                [unowned self] in
                machine.send(.revoke(target))
            }, toGroup: "apps")
    }

    private func addRow(_ row: Ref, toGroup id: String) {
        let group = interface[id]
        adw_preferences_group_add(group(), row())
        rows.append((group, row))
    }

    private func askToConfirmRevocation(effects: AccessState.RevocationEffects) {
        let sentence = ([localized("The following will be deleted:")] + effects.losses.map(\.localized))
            .joined(
                separator: "\n• ")
        let isFeedback: Bool
        let (title, action): (String, String)
        switch effects.target {
        case .app(let grant):
            let isHistory = effects.target.isHistory
            isFeedback =
                grant.kind == GrantView.Kind.feedback.rawValue && grant.account != nil && !isHistory
            title = GrantRow(grant, formatter: .local).removal ?? grant.appName
            action = isHistory ? localized("_Delete Conversations") : localized("_Revoke Access")
        case .service(let service):
            isFeedback = false
            title = ServiceRow(service, account: nil, formatter: .local).removal
            action = localized("_Forget")
        }
        Confirmation(
            title: title, sentence: sentence, action: action,
            option: isFeedback ? localized("Also delete the conversations from this computer") : nil
        ).present(over: root) { [weak self] isWanted, isChosen in
            self?.machine.send(.confirm(isWanted, forgetting: isChosen))
        }
    }
}
