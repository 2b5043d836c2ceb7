import Gtk
import InboxModel
import Libadwaita
import Localization
import MessageText

/// The window of a page. While the requirement of the page is not met, the window shows a placeholder.
final class PageWindow: Viewer {
    let root: Ref
    private let kind: PageKind
    private let context: PageContext
    private let interface = WidgetTemplate(PackageResources.page_ui)
    /// The page; `nil` until the requirement is met, because the first calls of the page would fail before
    /// then.
    private var page: (any Page)?
    private var shown: PagePlaceholder?
    private let closeQuestion = CloseQuestion()
    private var toasts: Ref { interface["toasts"] }

    /// - Parameter onClose: called when the window is destroyed.
    init(
        _ kind: PageKind, over parent: Ref, context: PageContext, onClose: @escaping () -> Void
    ) {
        (self.kind, self.context) = (kind, context)
        root = interface["window"]
        gtk_window_set_title(root(), kind.title)
        root.setAccessibleLabel(kind.title)
        gtk_window_set_transient_for(root(), parent())
        gtk_window_set_application(root(), gtk_window_get_application(parent()))
        addKeyboardShortcuts()
        interface["remedy"].on("clicked") { [unowned self] _ in performPlaceholderAction() }
        root.onSignalReturningBool("close-request") { [unowned self] _ in !prepareToClose() }
        // The handler retains this object until the window is destroyed.
        root.on("destroy") { [self] _ in
            page?.close()
            onClose()
        }
        context.controller.addView(self)
    }

    func present() { gtk_window_present(root()) }

    func close() { gtk_window_close(root()) }

    var isInUse: Bool { page?.isInUse == true }

    /// Returns whether the window can be closed without losing unsaved work. If not, asks the user, and
    /// closes the window if the user agrees.
    func prepareToClose() -> Bool {
        guard let question = page?.closeQuestion else { return true }
        closeQuestion.askToConfirmClosing(with: question, over: root)
        return false
    }

    private func addKeyboardShortcuts() {
        let group = ActionGroup("page", of: root).ref
        NamedAction("submit", in: group) { [unowned self] in page?.submit() }
        WindowKeys.addShortcuts([WindowKeys.submit: "page.submit"], handlingOrder: .beforeWidgets, to: root)
        WindowKeys.addShortcuts(["Escape": "window.close"], handlingOrder: .afterWidgets, to: root)
    }

    func render(_ state: InboxState) {
        let placeholder = state.placeholder(for: kind.requirement)
        if placeholder == nil, page == nil { makePage() }
        gtk_stack_set_visible_child_name(interface["stack"](), placeholder == nil ? "page" : "placeholder")
        // Stop the spinner when it is hidden, because a spinning spinner keeps the frame clock running.
        gtk_spinner_set_spinning(interface["spinner"](), placeholder?.isLoading == true ? 1 : 0)
        if let placeholder, placeholder != shown { showPlaceholder(placeholder) }
        shown = placeholder
        closeQuestion.closeDialog(unlessNeededFor: page?.closeQuestion)
    }

    private func makePage() {
        let toasts = toasts
        let made = kind.make(
            PageContext(
                controller: context.controller, environment: context.environment,
                showToast: { adw_toast_overlay_add_toast(toasts(), adw_toast_new($0)) },
                activate: context.activate))
        page = made
        adw_bin_set_child(interface["page"](), made.root())
        context.controller.addView(made)
    }

    private func showPlaceholder(_ placeholder: PagePlaceholder) {
        let status = interface["placeholder"]
        adw_status_page_set_title(status(), placeholder.title)
        adw_status_page_set_description(status(), TextRun.markup(of: [TextRun(placeholder.sentence)]))
        interface["spinner"].isVisible = placeholder.isLoading
        let button = interface["remedy"]
        button.isVisible = placeholder.remedy != nil
        switch placeholder.remedy {
        case .startDaemon: gtk_button_set_label(button(), localized("_Start"))
        case .setUp: gtk_button_set_label(button(), localized("Set _Up"))
        case .signIn: gtk_button_set_label(button(), localized("Sign _In"))
        case nil: break
        }
    }

    private func performPlaceholderAction() {
        switch shown?.remedy {
        case .startDaemon: context.activate("start-daemon", nil)
        case .setUp: closeAndOpenPage(withID: PageKind.setup)
        case .signIn: closeAndOpenPage(withID: PageKind.signIn.id)
        case nil: break
        }
    }

    /// Closes this window and shows another page.
    private func closeAndOpenPage(withID page: String) {
        context.activate("page", page)
        close()
    }
}
