import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText
import Platform

/// The pane of the open conversation.
final class ThreadPane {
    let root: Ref
    let composer: ComposerBar
    let banner: BannerBar
    private let staff: StaffBar
    private let controller: InboxController
    private let interface: WidgetTemplate
    private let (stack, list): (Ref, Ref)
    private let handlers: LineRow.Handlers
    private var rows: [LineRow] = []
    private var scroller: ThreadScroller?
    private var shown: ThreadView?
    private var reader: UserRole?
    /// The content of the list of conversations, which determines the content of the pane if no conversation
    /// is open.
    private var shownList: ListContent?
    private let context: PageContext
    /// The sign-in page. Created when an account requires a sign-in.
    private var signIn: SignInPage?

    init(
        _ context: PageContext, pictures: PictureFiles, openLink: @escaping (String) -> Void
    ) {
        self.context = context
        let controller = context.controller
        self.controller = controller
        interface = WidgetTemplate(PackageResources.thread_ui)
        (root, stack, list) = (interface["pane"], interface["stack"], interface["lines"])
        composer = ComposerBar(controller, showToast: context.showToast)
        banner = BannerBar(controller, showPage: { context.activate("page", $0) })
        staff = StaffBar(controller)
        handlers = LineRow.Handlers(
            openLink: openLink,
            copy: { [unowned controller] id in
                controller.state.text(ofLine: id).map { Clipboard.copyToClipboard($0) }
            },
            retry: { [unowned controller] id in controller.send(.retry(outboxId: id)) },
            cancel: { [unowned controller] id in controller.send(.cancel(outboxId: id)) },
            picture: { pictures.existingPath(for: $0) })
        interface["menu-button"].setAccessibleLabelOfMenuButton(localized("Conversation"))
        interface["back"].setAccessibleLabel(localized("Back to Conversations"))
        list.setAccessibleLabel(localized("Messages"))
        list.enableLeavingListWithTab()
        gtk_box_append(interface["composer-place"](), composer.root())
        gtk_box_append(interface["banner-place"](), banner.root())
        gtk_box_append(interface["staff-place"](), staff.root())
        scroller = ThreadScroller(
            interface["scroll"], lines: list,
            onEnd: { [unowned controller] in controller.send(.scrolled(isAtEnd: $0)) },
            onNear: { [unowned self] in showMoreMessages(at: $0) })
        interface["scroll-to-end"].on("clicked") { [unowned controller] _ in controller.send(.showEnd) }
    }

    /// Shows or loads the messages beyond an edge that the user approaches.
    private func showMoreMessages(at edge: ThreadScroller.Edge) {
        guard case .messages(let details) = controller.state.threadView else { return }
        switch edge {
        case .start: if details.hasEarlier, !details.isLoadingEarlier { controller.send(.showEarlier) }
        case .end: if details.hasLater { controller.send(.showLater) }
        }
    }

    /// Shows the back button and the banner if the list is hidden.
    func setSinglePane(_ isSinglePane: Bool) {
        interface["back"].isVisible = isSinglePane
        banner.root.isVisible = isSinglePane
    }

    var header: Ref { interface["header"] }

    func focusTagEntry() { staff.focusTagEntry() }

    private enum ListContent {
        case loading, empty, other

        init(_ view: ListView) {
            switch view {
            case .loading: self = .loading
            case .empty: self = .empty
            default: self = .other
            }
        }
    }
}

// MARK: - Lines

extension ThreadPane {
    func applySplice(_ splice: Splice<ThreadLine>) {
        // Keep the visible lines in place unless lines are appended at the end of the conversation.
        if splice.at + splice.removed < rows.count {
            scroller?.startPreservingPosition()
        } else if case .messages(let details) = shown, details.hasLater {
            scroller?.stopAutoScrolling()
        }
        for row in rows[splice.at..<splice.at + splice.removed] {
            scroller?.forgetRow(row.root)
            gtk_list_box_remove(list(), row.root())
        }
        let added = splice.added.map { LineRow($0, handlers: handlers) }
        for (offset, row) in added.enumerated() {
            gtk_list_box_insert(list(), row.root(), Int32(splice.at + offset))
        }
        rows.replaceSubrange(splice.at..<splice.at + splice.removed, with: added)
    }

    func scroll(toLine id: ThreadLine.ID) {
        if let row = rows.first(where: { $0.line.id == id }) { scroller?.scroll(to: row.root) }
    }

    func scrollToEnd() { scroller?.scrollToEnd() }
}

// MARK: - The parts around the messages

extension ThreadPane {
    func render(_ state: InboxState, sendAction: NamedAction, saveAction: NamedAction) {
        banner.render(state)
        let now = state.threadView
        let details: ThreadDetails? = if case .messages(let details) = now { details } else { nil }
        composer.render(details, sendAction: sendAction, enterSends: state.enterSends)
        staff.render(details?.staff)
        saveAction.isEnabled = details != nil
        let listContent = ListContent(state.listView)
        guard now != shown || state.role != reader || listContent != shownList else { return }
        let before = shown
        (shown, reader, shownList) = (now, state.role, listContent)
        let isLoading = if case .loading = now { true } else { false }
        gtk_spinner_set_spinning(interface["spinner"](), isLoading ? 1 : 0)
        interface["menu-button"].isVisible = details != nil
        showTitle(of: now, state: state)
        if let details {
            showDetails(details)
            // Show no tags to support staff here, because their tools contain the tags.
            let tags = details.staff == nil ? details.tags : []
            if case .messages(let former) = before, former.tags == tags { return }
            showTags(tags)
        } else {
            interface["tags"].isVisible = false
            showPlaceholder(for: now, state: state)
        }
    }

    private func showTitle(of thread: ThreadView, state: InboxState) {
        let title: String
        var subtitle = ""
        switch thread {
        case .messages(let details):
            title = details.title
            subtitle = [details.app, details.account, details.status].compactMap(\.self).joined(
                separator: " · ")
        case .loading(let known): title = known ?? ""
        case .signedOut(let account): title = state.title(of: account)
        default: title = ""
        }
        adw_window_title_set_title(interface["title"](), title)
        adw_window_title_set_subtitle(interface["title"](), subtitle)
    }

    private func showTags(_ tags: [TagLabel]) {
        let box = interface["tags"]
        for child in box.children { gtk_box_remove(box(), child()) }
        for tag in tags { gtk_box_append(box(), TagChip.makeTagLabel(for: tag)()) }
        box.isVisible = !tags.isEmpty
    }

    private func showDetails(_ details: ThreadDetails) {
        interface["omission"].isVisible = details.isTruncated
        interface["earlier-spinner"].isVisible = details.isLoadingEarlier
        gtk_spinner_set_spinning(interface["earlier-spinner"](), details.isLoadingEarlier ? 1 : 0)
        let below = interface["scroll-to-end"]
        below.isVisible = details.newMessagesBelow > 0
        if details.newMessagesBelow > 0 {
            gtk_button_set_label(
                below(),
                localized(
                    one: "{count} new message below", other: "{count} new messages below",
                    count: details.newMessagesBelow))
        }
        gtk_stack_set_visible_child_name(stack(), "messages")
    }

    private func showPlaceholder(for thread: ThreadView, state: InboxState) {
        for child in interface["choices"].children { gtk_box_remove(interface["choices"](), child()) }
        switch thread {
        case .messages: break
        case .loading: gtk_stack_set_visible_child_name(stack(), "loading")
        case .none where shownList == .loading: gtk_stack_set_visible_child_name(stack(), "loading")
        case .none where shownList == .empty: showEmptyInbox(for: state)
        case .none:
            showStatusPage(
                icon: "conversation-symbolic", title: localized("No Conversation Selected"),
                description: RoleDependentText.noConversationChosen.text(for: state.role))
        case .notFound:
            showStatusPage(
                icon: "dialog-question-symbolic", title: localized("Not Found"),
                description: localized("This conversation is not stored on this computer."))
        case .ambiguous(let accounts):
            showStatusPage(
                icon: "dialog-question-symbolic", title: localized("Choose an Account"),
                description: localized("This conversation exists in several accounts."))
            for account in accounts { addAccountChoice(account, title: state.title(of: account)) }
        case .failed(let sentence):
            showStatusPage(
                icon: "dialog-warning-symbolic", title: localized("Loading Failed"), description: sentence)
        case .signedOut(let account): showSignIn(to: account)
        }
    }

    /// Shows that there are no conversations, because the list beside the pane stays blank.
    private func showEmptyInbox(for state: InboxState) {
        showStatusPage(
            icon: "conversation-symbolic", title: localized("No Conversations Yet"),
            description: RoleDependentText.emptyList.text(for: state.role))
        guard state.canStartConversation else { return }
        let button = Ref(gtk_button_new_with_mnemonic(localized("_Write Feedback")))
        for name in ["pill", "suggested-action"] { gtk_widget_add_css_class(button(), name) }
        button.on("clicked") { [unowned controller] _ in controller.send(.form(.open)) }
        gtk_box_append(interface["choices"](), button())
    }

    /// Shows the sign-in page instead of the conversation. The draft is preserved.
    private func showSignIn(to account: String) {
        if signIn == nil {
            let page = SignInPage(context)
            adw_bin_set_child(interface["sign-in"](), page.root())
            controller.addView(page)
            signIn = page
        }
        signIn?.selectAccount(account)
        gtk_stack_set_visible_child_name(stack(), "sign-in")
    }

    /// The question to ask before the window is closed during a sign-in; `nil` if no sign-in is in progress.
    var closeQuestion: Confirmation? { signIn?.closeQuestion }

    private func showStatusPage(icon: String, title: String, description: String) {
        let page = interface["message"]
        adw_status_page_set_icon_name(page(), icon)
        adw_status_page_set_title(page(), title)
        adw_status_page_set_description(page(), TextRun.markup(of: [TextRun(description)]))
        gtk_stack_set_visible_child_name(stack(), "message")
    }

    private func addAccountChoice(_ account: String, title: String) {
        let button = Ref(gtk_button_new_with_label(title))
        gtk_widget_add_css_class(button(), "pill")
        button.on("clicked") { [unowned controller] _ in controller.send(.chooseAccount(account)) }
        gtk_box_append(interface["choices"](), button())
    }
}
