import ControlAPI
import ControlClient
import CutieAPI
import Gtk
import InboxModel
import Libadwaita
import Localization

extension PageKind {
    static var handOver: PageKind {
        PageKind(
            id: "hand-over", title: localized("Feedback from Other Apps"),
            menuTitle: localized("_Feedback from Other Apps"),
            needs: .daemon
        ) {
            HandOverPage($0)
        }
    }
}

/// The page that hands accounts over to and from other apps.
final class HandOverPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let context: PageContext
    private let accounts: AccountChoice
    private var offer: CodeOffer?
    private var state = HandOverState()
    private var shown: HandOverState?
    private var rows: [Ref] = []
    private var names: [String]?

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.hand_over_ui)
        root = interface["page"]
        self.context = context
        accounts = AccountChoice(interface["accounts"])
        let link = interface["link"]
        accounts.onChange { [unowned self] in send(.open(account: $0 ?? names?.first)) }
        offer = CodeOffer(
            in: interface["offer-place"],
            labels: .init(make: localized("_Create Code"), copy: localized("_Copy Link")),
            showToast: context.showToast,
            onMake: { [unowned self] in send(.makeCode) })
        link.on("changed") { [unowned self] _ in send(.link(link.enteredText)) }
        link.on("apply") { [unowned self] _ in submit() }
    }

    func submit() {
        let link = Self.parseTokenOrLink(in: interface["link"].enteredText)
        send(.redeem(token: link?.token.rawValue, api: link?.api?.description))
    }

    var isInUse: Bool { state.redemption != .idle || !state.link.isEmpty }

    func render(_ state: InboxState) {
        let isFirst = names == nil
        names = state.deviceAccounts
        interface["offer"].isVisible = names?.isEmpty == false
        accounts.showAccounts(state.deviceAccounts, titlesFrom: state)
        send(.questions(Set(state.questions.map(\.questionId))))
        // Load the apps now if there is no account, because the account menu then has no selection that would
        // load the apps.
        if isFirst, state.deviceAccounts.isEmpty { send(.open(account: nil)) }
    }

    /// Returns the token in the typed text, and the address if the text contains one; `nil` if the text is
    /// neither a valid link nor a token.
    private static func parseTokenOrLink(in input: String) -> (token: FeedbackToken, api: APIAddress?)? {
        let text = input.filter { !$0.isWhitespace }
        let link = try? DeepLink(text.contains("://") ? text : "cutie://link?token=" + text)
        guard case .app(let token, let api)? = link else { return nil }
        return (token, api)
    }

    private func send(_ input: HandOverState.Input) {
        for action in state.handle(input) {
            switch action {
            case .call(let call): startCall(call)
            case .showToast(let sentence): context.showToast(sentence)
            }
        }
        showState()
    }

    private func startCall(_ call: HandOverState.Call) {
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
}

nonisolated extension DaemonClient {
    @concurrent fileprivate func sendRequest(_ request: HandOverState.Call) async throws
        -> HandOverState.CallReply
    {
        switch request {
        case .code(let account): return .code(try await call(HandOverApp(account: account)).reply)
        case .redeem(let token, let api):
            let request = TakeApp(token: token, quiet: true, apiUrl: api)
            return .question(try await call(request).reply.question)
        case .answer(let id, let allow):
            return .answered(
                account: try await call(AnswerQuestion(questionId: id, allow: allow)).reply.account)
        case .apps: return .apps(try await call(ListApps()).reply.apps)
        case .remove(let account):
            _ = try await call(RemoveApp(account: account))
            return .removed
        }
    }
}

// MARK: - Rendering

extension HandOverPage {
    private func showState() {
        let before = shown
        shown = state
        if before?.code != state.code { showCode() }
        if before?.redemption != state.redemption { showHandOver() }
        if before?.apps != state.apps { showApps() }
        if state.link.isEmpty, before?.link.isEmpty == false, !interface["link"].enteredText.isEmpty {
            gtk_editable_set_text(interface["link"](), "")
        }
        if let appToRemove = state.appToRemove, before?.appToRemove == nil {
            askToConfirmRemoval(of: appToRemove)
        }
    }

    private func showCode() {
        var (link, status): (String?, String?)
        switch state.code {
        case .none: break
        case .asking: status = localized("Requesting a code…")
        case .made(_, let made): link = made
        case .failed(let sentence): status = sentence
        }
        offer?.show(link, status: status)
        offer?.setCreationEnabled(state.code != .asking)
    }

    private func showHandOver() {
        let place = interface["question-place"]
        for card in place.children { gtk_box_remove(place(), card()) }
        var failure: String?
        switch state.redemption {
        case .failed(let sentence): failure = sentence
        case .question(let question):
            let title = context.controller.state.title(of:)
            let card = QuestionCard(question, title: title) { [unowned self] allow, _ in
                send(.answer(allow: allow))
            }
            gtk_box_append(place(), card.root())
        case .idle, .asking, .answering: break
        }
        interface["link-status"].isVisible = failure != nil
        interface["link-status"].text = failure ?? ""
        interface["link"].isSensitive = state.redemption != .asking && state.redemption != .answering
    }

    private func showApps() {
        for row in rows { adw_preferences_group_remove(interface["apps"](), row()) }
        rows = state.apps.map(makeRow)
        for row in rows { adw_preferences_group_add(interface["apps"](), row()) }
        interface["apps"].isVisible = !rows.isEmpty
    }

    private func makeRow(for app: AppView) -> Ref {
        RemovableRow.makeRow(
            title: title(of: app), subtitle: app.apiUrl,
            removalLabel: localized("Remove {account}", ["account": title(of: app)])
        ) { [unowned self] in send(.remove(app)) }
    }

    private func title(of app: AppView) -> String {
        context.controller.state.title(of: app.account)
    }

    private func askToConfirmRemoval(of app: AppView) {
        Confirmation(
            title: localized("Remove {account}?", ["account": title(of: app)]),
            sentence: localized(
                """
                The conversations of this account are deleted from this computer. Other devices keep their \
                copies.
                """),
            action: localized("_Remove")
        ).present(over: root) { [weak self] in self?.send(.confirm($0)) }
    }
}
