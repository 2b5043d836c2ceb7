import ControlAPI
import ControlClient
import CutieAPI
import Gtk
import InboxView
import Libadwaita
import Localization

extension PageKind {
    static var handOver: PageKind {
        PageKind(id: "hand-over", title: localized("Other Apps"), menuTitle: localized("Other _Apps")) {
            HandOverPage($0)
        }
    }
}

/// A code by which another app shows an account, and the accounts that come from others.
final class HandOverPage: Page {
    let root: Ref
    private let interface: Interface
    private let surroundings: PageSurroundings
    private let accounts: AccountChoice
    private var state = HandOverState()
    private var shown: HandOverState?
    private var rows: [Ref] = []

    init(_ surroundings: PageSurroundings) {
        interface = Interface(PackageResources.hand_over_ui)
        root = interface["page"]
        self.surroundings = surroundings
        accounts = AccountChoice(interface["accounts"])
        let link = interface["link"]
        accounts.onChange { [unowned self] in send(.open(account: $0)) }
        interface["make"].on("clicked") { [unowned self] _ in send(.makeCode) }
        interface["copy"].on("clicked") { [unowned self] _ in copy() }
        link.on("changed") { [unowned self] _ in send(.link(link.typed)) }
        link.on("apply") { [unowned self] _ in send(.take(token: Self.token(in: link.typed))) }
    }

    func render(_ state: InboxState) { accounts.show(state.accounts) }

    /// nil: it is none of ours.
    private static func token(in typed: String) -> String? {
        let text = typed.filter { !$0.isWhitespace }
        guard case .app(let token) = try? DeepLink(text.contains("://") ? text : "cutie://link?token=" + text)
        else { return nil }
        return token.rawValue
    }

    private func copy() {
        guard case .made(_, let link) = state.code else { return }
        Clipboard.put(link)
        surroundings.tell(localized("Copied"))
    }

    private func send(_ input: HandOverState.Input) {
        for action in state.next(input) {
            switch action {
            case .call(let call): ask(call)
            case .tell(let sentence): surroundings.tell(sentence)
            }
        }
        show()
    }

    private func ask(_ call: HandOverState.Call) {
        let daemon = surroundings.conductor.daemon
        Task { [weak self] in
            do {
                let answer = try await daemon.answer(to: call)
                self?.send(.answered(call, answer))
            } catch {
                self?.send(.failed(call, CallFailure(error)))
            }
        }
    }
}

nonisolated extension DaemonClient {
    @concurrent fileprivate func answer(to request: HandOverState.Call) async throws -> HandOverState.Answer {
        switch request {
        case .code(let account): return .code(try await call(HandOverApp(account: account)).reply)
        case .take(let token):
            return .question(try await call(TakeApp(token: token, quiet: true)).reply.question)
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

// MARK: - What is shown

extension HandOverPage {
    private func show() {
        let before = shown
        shown = state
        if before?.code != state.code { showCode() }
        if before?.taking != state.taking { showTaking() }
        if before?.apps != state.apps { showApps() }
        if state.link.isEmpty, before?.link.isEmpty == false, !interface["link"].typed.isEmpty {
            gtk_editable_set_text(interface["link"](), "")
        }
        if let leaving = state.leaving, before?.leaving == nil { confirm(leaving) }
    }

    private func showCode() {
        var (link, status): (String?, String?)
        switch state.code {
        case .none: break
        case .asking: status = localized("Asking for a code …")
        case .made(_, let made): link = made
        case .failed(let sentence): status = sentence
        }
        let picture = link.flatMap { CodePicture.paintable($0) }
        gtk_picture_set_paintable(interface["picture"](), picture?())
        interface["picture"].isVisible = picture != nil
        interface["picture"].setSpoken(localized("The code as a picture, to be scanned"))
        if let picture { g_object_unref(picture.raw) }
        interface["code"].isVisible = link != nil
        interface["code"].text = link ?? ""
        interface["copy"].isVisible = link != nil
        interface["code-status"].isVisible = status != nil
        interface["code-status"].text = status ?? ""
        interface["make"].isSensitive = state.code != .asking
    }

    private func showTaking() {
        let place = interface["question-place"]
        for card in place.children { gtk_box_remove(place(), card()) }
        var failure: String?
        switch state.taking {
        case .failed(let sentence): failure = sentence
        case .question(let question):
            let card = QuestionCard(question) { [unowned self] in send(.answer(allow: $0)) }
            gtk_box_append(place(), card.root())
        case .idle, .asking, .answering: break
        }
        interface["link-status"].isVisible = failure != nil
        interface["link-status"].text = failure ?? ""
        interface["link"].isSensitive = state.taking != .asking && state.taking != .answering
    }

    private func showApps() {
        for row in rows { adw_preferences_group_remove(interface["apps"](), row()) }
        rows = state.apps.map(row)
        for row in rows { adw_preferences_group_add(interface["apps"](), row()) }
        interface["apps"].isVisible = !rows.isEmpty
    }

    private func row(_ app: AppView) -> Ref {
        let row = Ref(adw_action_row_new())
        adw_preferences_row_set_use_markup(row(), 0)
        adw_preferences_row_set_title(row(), app.appName ?? app.account)
        adw_action_row_set_subtitle(row(), "\(app.account) · \(app.apiUrl)")
        let button = Ref(gtk_button_new_from_icon_name("user-trash-symbolic"))
        let words = localized("Remove {account}", ["account": app.account])
        gtk_widget_set_valign(button(), GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(button(), "flat")
        gtk_widget_set_tooltip_text(button(), words)
        button.setSpoken(words)
        button.on("clicked") { [unowned self] _ in send(.remove(app)) }
        adw_action_row_add_suffix(row(), button())
        return row
    }

    private func confirm(_ app: AppView) {
        Confirmation(
            title: localized("Remove {account}?", ["account": app.account]),
            sentence: localized("Its conversations go from this computer; other devices keep them."),
            action: localized("_Remove")
        ).ask(over: root) { [weak self] in self?.send(.confirm($0)) }
    }
}
