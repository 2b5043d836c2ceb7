public import Gtk
import Libadwaita

/// A view in its own window above the main window.
///
/// See `PageKind` for how to add one.
public protocol Page: Viewer {
    /// The content without a title bar; a newly created widget.
    var root: Ref { get }
    /// Releases the resources when the user closes the window.
    func close()
    /// Performs the action of the page's suggested button, for Ctrl+Enter.
    func submit()
    /// Whether the page contains text or an operation that would be lost if another page replaced it.
    var isInUse: Bool { get }
    /// The question before the user closes the page and loses what it contains; `nil` if nothing would be
    /// lost.
    var closeQuestion: Confirmation? { get }
}

extension Page {
    public func close() {}
    public func submit() {}
    public var isInUse: Bool { closeQuestion != nil }
    public var closeQuestion: Confirmation? { nil }
}

/// The context that a page works in.
public struct PageContext {
    public let controller: InboxController
    public let environment: [String: String]
    /// Shows a toast in the page's own window, or in the main window if the page has none.
    public let showToast: (String) -> Void
    /// Performs an action of the main window, with an optional text parameter.
    let activate: (_ action: String, _ target: String?) -> Void
}
