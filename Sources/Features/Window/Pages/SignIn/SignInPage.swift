import ControlAPI
import ControlClient
import Gtk
import InboxModel
import Libadwaita
import Localization
import Reasons

extension PageKind {
    static var signIn: PageKind {
        PageKind(
            id: "sign-in", title: localized("Your Profile"), menuTitle: localized("Your Pro_file"),
            needs: .signInAccount
        ) {
            SignInPage($0)
        }
    }
}

/// The page for signing in to and out of an account. Passwords are entered only on the issuer's pages.
final class SignInPage: Page {
    let root: Ref
    private let interface: WidgetTemplate
    private let context: PageContext
    private let accounts: AccountChoice
    private var names: [String] = []
    private var wanted: String?
    private var signedOut: Set<String> = []
    private var state = SignInPageState()
    private var shown: SignInPageState?
    private var rows: [Ref] = []
    private var followTask: Task<Void, Never>?
    /// The call that suppresses the notification of the code while the page is in front; `nil` at other
    /// times.
    private var attendance: (account: String, task: Task<Void, Never>)?

    init(_ context: PageContext) {
        interface = WidgetTemplate(PackageResources.sign_in_ui)
        root = interface["page"]
        self.context = context
        accounts = AccountChoice(interface["accounts"])
        accounts.onChange { [unowned self] in
            if let name = $0 ?? names.first { send(.open(account: name)) }
        }
        let inputs: [(String, SignInPageState.Input)] = [
            ("device", .signIn(.device, register: false)), ("browser", .signIn(.browser, register: false)),
            ("stop", .stop), ("sign-out", .signOut),
        ]
        for (id, input) in inputs { interface[id].on("clicked") { [unowned self] _ in send(input) } }
        interface["picture"].setAccessibleLabel(localized("QR code to scan"))
        root.on("realize") { [weak self] _ in self?.followFocus() }
    }

    private var window: Ref? { Ref(orNil: gtk_widget_get_root(root())) }

    private func followFocus() {
        guard let window else { return }
        window.onChange(of: "is-active") { [weak self] in self?.reportCodeVisibility() }
        Ref(orNil: gtk_native_get_surface(window()))?.onChange(of: "state") { [weak self] in
            self?.reportCodeVisibility()
        }
    }

    /// Reports to the daemon that the user sees the code, so that the daemon does not show the code in a
    /// notification.
    private func reportCodeVisibility() {
        let isInFront = window?.isInFront ?? false
        let account = isInFront && state.isSigningIn ? state.account : nil
        guard account != attendance?.account else { return }
        attendance?.task.cancel()
        let daemon = context.controller.daemon
        attendance = account.map { account in
            let task = Task {
                // Failures are ignored: the only effect is that a notification repeats the code.
                _ = try? await daemon.withoutRetries.followReplies(to: AttendSignIn(account: account)) { _ in
                    .proceed
                }
            }
            return (account, task)
        }
    }

    func close() {
        followTask?.cancel()
        attendance?.task.cancel()
    }

    var closeQuestion: Confirmation? {
        guard state.isSigningIn else { return nil }
        return Confirmation(
            title: localized("Cancel Sign-In?"),
            sentence: localized("The code and the page in the browser will no longer work."),
            action: localized("_Cancel Sign-In"), refusal: localized("_Keep Waiting"))
    }

    func selectAccount(_ account: String) {
        wanted = account
        accounts.selectAccount(account)
        if state.account != account { send(.open(account: account)) }
    }

    func render(_ inbox: InboxState) {
        names = inbox.signInAccounts
        accounts.showAccounts(names, titlesFrom: inbox)
        if let account = wanted, names.contains(account) {
            wanted = nil
            accounts.selectAccount(account)
        }
        guard inbox.signedOutAccounts != signedOut else { return }
        signedOut = inbox.signedOutAccounts
        send(.changed)
    }

    private func send(_ input: SignInPageState.Input) {
        for action in state.handle(input) {
            switch action {
            case .call(let call): startCall(call)
            case .follow(let account, let way, let register):
                startSignIn(to: account, choice: way, registersUser: register)
            case .stopFollowing: followTask?.cancel()
            case .showToast(let sentence): context.showToast(sentence)
            }
        }
        reportCodeVisibility()
        showState()
    }
}

// MARK: - The daemon

extension SignInPage {
    private func startCall(_ call: SignInPageState.Call) {
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

    private func startSignIn(
        to account: String, choice: SignInPageState.SignInChoice, registersUser register: Bool
    ) {
        followTask?.cancel()
        let daemon = context.controller.daemon
        let call = SignIn(account: account, method: choice.rawValue, register: register ? true : nil)
        followTask = Task { [weak self] in
            do {
                try await daemon.followReplies(to: call) { answer in
                    guard let self, !Task.isCancelled else { return .stop }
                    self.send(.progress(answer.reply))
                    return self.state.isSigningIn ? .proceed : .stop
                }
            } catch {
                if !Task.isCancelled { self?.send(.signInFailed(CallFailure(error))) }
            }
        }
    }
}

nonisolated extension DaemonClient {
    @concurrent fileprivate func sendRequest(
        _ request: SignInPageState.Call
    ) async throws -> SignInPageState.CallReply {
        switch request {
        case .session(let account):
            return .session(try await call(GetSession(account: account)).reply.session)
        case .loss(let account):
            let reply = try await call(SignOut(account: account, dryRun: true)).reply
            return .loss(
                decodeReasons(from: reply.revokedReasons, fallbackMessages: reply.revoked).map(\.localized))
        case .signOut(let account):
            return .signedOut(queued: try await call(SignOut(account: account)).reply.queued)
        }
    }
}

// MARK: - Rendering

extension SignInPage {
    private func showState() {
        let before = shown
        shown = state
        guard before?.phase != state.phase || before?.problem != state.problem else {
            if let signOutEffects = state.signOutEffects, before?.signOutEffects == nil {
                askToConfirmSignOut(effects: signOutEffects)
            }
            return
        }
        let texts = texts
        interface["title"].isVisible = texts.title != nil
        interface["title"].text = texts.title ?? ""
        interface["status"].isVisible = texts.status != nil
        interface["status"].text = texts.status ?? ""
        showCode()
        showButtons()
        showProfile()
    }

    private var texts: (title: String?, status: String?) {
        switch state.phase {
        case .loading: (nil, localized("Loading…"))
        case .failed(let sentence): (nil, sentence)
        case .signedOut: (localized("You Are Not Signed In"), state.reason)
        case .asking: (nil, localized("Requesting the sign-in page…"))
        case .code(_, _, _, let until):
            (
                localized("Compare This Code"),
                until.map {
                    localized(
                        "Open the page on any device, compare the code, and allow access. The code is valid until {time}.",
                        ["time": TimeFormatter.local.clockText(at: $0)])
                }
            )
        case .browser: (nil, localized("Continue in the browser. This page updates automatically."))
        case .signedIn(let session): (session.name ?? session.email ?? session.subject, session.email)
        }
    }

    private func showCode() {
        var (code, link): (String?, String?)
        switch state.phase {
        case .code(let shown, _, let complete, _): (code, link) = (shown, complete)
        case .browser(let address): link = address
        default: break
        }
        let picture = code == nil ? nil : link.flatMap { CodeOffer.makeQRCodeTexture(for: $0) }
        gtk_picture_set_paintable(interface["picture"](), picture?())
        interface["picture-place"].isVisible = picture != nil
        if let picture { g_object_unref(picture.raw) }
        interface["code"].isVisible = code != nil
        interface["code"].text = code ?? ""
        interface["code"].setAccessibleLabel(localized("Code: {code}", ["code": code ?? ""]))
        showLink(link, inWidget: "address", label: localized("Open Page"))
    }

    /// Shows a link. Only web addresses are opened: other addresses in the issuer's data could start
    /// programs.
    private func showLink(_ link: String?, inWidget id: String, label: String) {
        let link = link.flatMap { $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil }
        interface[id].isVisible = link != nil
        guard let link else { return }
        gtk_link_button_set_uri(interface[id](), link)
        gtk_button_set_label(interface[id](), label)
    }

    private func showButtons() {
        var (session, isSignedIn): (SessionView?, Bool) = (nil, false)
        if case .signedOut(let view) = state.phase { session = view }
        if case .signedIn = state.phase { isSignedIn = true }
        for id in ["device", "browser"] { interface[id].isVisible = session != nil }
        interface["stop"].isVisible = state.isSigningIn
        interface["sign-out"].isVisible = isSignedIn
        showLink(session?.registerUri, inWidget: "register", label: localized("Create Account"))
        showLink(session?.forgotUri, inWidget: "forgot", label: localized("Forgot Your Password?"))
    }

    private func showProfile() {
        let group = interface["profile"]
        for row in rows { adw_preferences_group_remove(group(), row()) }
        rows = []
        if case .signedIn(let session) = state.phase {
            let permissions = scopeLabels(session.scopes)
            let facts: [(String, String?)] = [
                (localized("Account"), context.controller.state.title(of: session.account)),
                (localized("Sign-In Server"), session.issuer),
                (localized("User ID"), session.adminId ?? session.subject),
                (localized("May"), permissions.isEmpty ? nil : permissions.joined(separator: ", ")),
            ]
            for case (let title, let value?) in facts {
                let row = Ref(adw_action_row_new())
                adw_preferences_row_set_use_markup(row(), 0)
                adw_preferences_row_set_title(row(), title)
                adw_action_row_set_subtitle(row(), value)
                adw_action_row_set_subtitle_lines(row(), 0)
                adw_preferences_group_add(group(), row())
                rows.append(row)
            }
        }
        group.isVisible = !rows.isEmpty
    }

    private func askToConfirmSignOut(effects: [String]) {
        let lines = effects.isEmpty ? "" : "\n\n" + effects.map { "• " + $0 }.joined(separator: "\n")
        Confirmation(
            title: localized("Sign Out?"),
            sentence: localized("You cannot answer users from this computer until you sign in again.")
                + lines,
            action: localized("Sign _Out")
        ).present(over: root) { [weak self] in self?.send(.confirm($0)) }
    }
}
