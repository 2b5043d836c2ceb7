import ControlAPI
import ControlClient
import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    static var devices: PageKind {
        PageKind(
            id: "devices", title: localized("Linked Devices"), menuTitle: localized("_Linked Devices"),
            needs: .deviceAccount
        ) {
            DevicesPage($0)
        }
    }
}

/// The page of the devices that share an inbox. Offers a code for another device, and joins the inbox of
/// another device.
final class DevicesPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let context: PageContext
    private let accounts: AccountChoice
    private var offer: CodeOffer?
    private var state = DevicesState()
    private var shown: DevicesState?
    private var rows: [Ref] = []
    private var names: [String] = []
    private var followTask: Task<Void, Never>?

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.devices_ui)
        root = interface["page"]
        self.context = context
        accounts = AccountChoice(interface["accounts"])
        connectSignals()
    }

    private func connectSignals() {
        let (token, name) = (interface["token"], interface["name"])
        accounts.onChange { [unowned self] in send(.open(account: $0 ?? names.first)) }
        offer = CodeOffer(
            in: interface["offer-place"],
            labels: .init(make: localized("_Show Code"), copy: localized("_Copy")),
            showToast: context.showToast, onMake: { [unowned self] in send(.offer) },
            onStop: { [unowned self] in send(.stopOffer) })
        interface["join"].on("clicked") { [unowned self] _ in send(.join) }
        token.on("changed") { [unowned self] _ in send(.token(token.enteredText)) }
        name.on("changed") { [unowned self] _ in send(.name(name.enteredText)) }
        token.on("entry-activated") { [unowned self] _ in send(.join) }
        name.on("entry-activated") { [unowned self] _ in send(.join) }
    }

    func close() { followTask?.cancel() }

    func submit() { send(.join) }

    var isInUse: Bool { state.offer.isOpen || !state.token.isEmpty || state.join == .joining }

    func render(_ state: InboxState) {
        names = state.deviceAccounts
        accounts.showAccounts(names, titlesFrom: state)
    }

    private func send(_ input: DevicesState.Input) {
        for action in state.handle(input) {
            switch action {
            case .call(let call): startCall(call)
            case .follow(let account): startLinking(for: account)
            case .stopFollowing: followTask?.cancel()
            case .showToast(let sentence): context.showToast(sentence)
            }
        }
        showState()
    }
}

// MARK: - The daemon

extension DevicesPage {
    private func startCall(_ call: DevicesState.Call) {
        let daemon = context.controller.daemon
        Task { [weak self] in
            do {
                let answer = try await daemon.sendRequest(call)
                self?.send(.answered(call, answer))
            } catch {
                self?.send(.failed(call, CallFailure(error)))
            }
        }
    }

    /// Cancels the previous stream, requests a new link code, and follows the status of the link.
    private func startLinking(for account: String?) {
        followTask?.cancel()
        let daemon = context.controller.daemon
        followTask = Task { [weak self] in
            do {
                try await daemon.followReplies(to: StartLink(account: account)) { answer in
                    guard let self, !Task.isCancelled else { return .stop }
                    self.send(.link(answer.reply))
                    return self.state.offer.isOpen ? .proceed : .stop
                }
            } catch {
                if !Task.isCancelled { self?.send(.linkFailed(CallFailure(error))) }
            }
        }
    }
}

nonisolated extension DaemonClient {
    @concurrent fileprivate func sendRequest(_ request: DevicesState.Call) async throws
        -> DevicesState.CallReply
    {
        switch request {
        case .list(let account): return .devices(try await call(LinkedDevices(account: account)).reply)
        case .join(let token, let name, let account):
            return .joined(try await call(ConfirmLink(linkToken: token, name: name, account: account)).reply)
        case .remove(let device, let account):
            _ = try await call(RemoveDevice(device: device, account: account))
            return .removed
        }
    }
}

// MARK: - Rendering

extension DevicesPage {
    private func showState() {
        let before = shown
        shown = state
        if before?.list != state.list { showList() }
        if before?.offer != state.offer { showOffer() }
        interface["join"].isSensitive = state.canJoin
        if before?.token != state.token, state.token.isEmpty, !interface["token"].enteredText.isEmpty {
            gtk_editable_set_text(interface["token"](), "")
        }
        var failure: String?
        if case .failed(let sentence) = state.join { failure = sentence }
        interface["join-status"].isVisible = failure != nil
        interface["join-status"].text = failure ?? ""
        if let deviceToRemove = state.deviceToRemove, before?.deviceToRemove == nil {
            askToConfirmRemoval(of: deviceToRemove)
        }
    }

    private func showList() {
        for row in rows { adw_preferences_group_remove(interface["devices"](), row()) }
        rows = []
        var status: String?
        switch state.list {
        case .loading: status = localized("Loading…")
        case .alone: status = localized("No other device shares this inbox.")
        case .failed(let sentence): status = sentence
        case .devices(let devices, let unanswered):
            for device in devices { addRow(device) }
            if !unanswered.isEmpty {
                let inbox = context.controller.state
                let names = unanswered.map(inbox.title(of:)).joined(separator: ", ")
                status = localized(
                    "The service did not respond, so the devices of {accounts} are not listed.",
                    ["accounts": names])
            }
        }
        interface["status"].isVisible = status != nil
        interface["status"].text = status ?? ""
    }

    private func addRow(_ device: DeviceView) {
        let marks = [
            device.current ? localized("This computer") : nil,
            device.primary ? localized("First device") : nil,
            device.joinedAt.map {
                localized("Joined on {date}", ["date": TimeFormatter.local.dateText(for: $0)])
            },
        ]
        let row = RemovableRow.makeRow(
            title: device.deviceName ?? device.deviceId,
            subtitle: marks.compactMap(\.self).joined(separator: " · "),
            removalLabel: Self.removalMessage(for: device)
        ) { [unowned self] in send(.remove(device)) }
        adw_preferences_group_add(interface["devices"](), row())
        rows.append(row)
    }

    private static func removalMessage(for device: DeviceView) -> String {
        device.current
            ? localized("Leave This Inbox")
            : localized("Remove {device}", ["device": device.deviceName ?? device.deviceId])
    }

    private func askToConfirmRemoval(of device: DeviceView) {
        let sentence =
            device.current
            ? localized(
                "This computer will leave the shared inbox, and its copies of the conversations will be deleted."
            )
            : localized("The conversations are removed from that device and stay on this computer.")
        Confirmation(
            title: Self.removalMessage(for: device), sentence: sentence, action: localized("_Remove")
        ).present(over: root) { [weak self] in self?.send(.confirm($0)) }
    }

    private func showOffer() {
        var (token, status): (String?, String?)
        switch state.offer {
        case .none: break
        case .asking: status = localized("Requesting a code…")
        case .shown(let offered, let until):
            token = offered
            status = until.map {
                localized("Valid until {time}", ["time": TimeFormatter.local.clockText(at: $0)])
            }
        case .linked(let name?): status = localized("Linked with {device}.", ["device": name])
        case .linked(nil): status = localized("Linked.")
        case .expired: status = localized("The code has expired.")
        case .failed(let sentence): status = sentence
        }
        offer?.show(token, status: status)
        offer?.setShowsStopButton(state.offer.isOpen)
    }
}
