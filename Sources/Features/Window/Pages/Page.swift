public import Gtk
import Libadwaita

/// The content of a separate window above the main window.
///
/// See `PageKind` for how to add a page.
public protocol Page: Viewer {
    /// The content without a title bar, in a newly created widget.
    var root: Ref { get }
    /// Releases the resources of the page. Called when the window of the page is destroyed.
    func close()
    /// Performs the action of the page's suggested button. Called for Ctrl+Enter.
    func submit()
    /// Whether this page contains unsaved text or an operation in progress, so that another page must not
    /// replace it.
    var isInUse: Bool { get }
    /// The question to ask before the page is closed and unsaved work is lost; `nil` if nothing would be
    /// lost.
    var closeQuestion: Confirmation? { get }
}

extension Page {
    public func close() {}
    public func submit() {}
    public var isInUse: Bool { closeQuestion != nil }
    public var closeQuestion: Confirmation? { nil }
}

/// The objects and functions of the main window that a page uses.
public struct PageContext {
    public let controller: InboxController
    public let environment: [String: String]
    /// Shows a toast in the page's own window, or in the main window if the page has none.
    public let showToast: (String) -> Void
    /// Activates an action of the main window, with an optional string parameter.
    let activate: (_ action: String, _ target: String?) -> Void
}
