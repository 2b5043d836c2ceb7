public import Gtk
import Libadwaita

/// A view beside the inbox: it stands in a window of its own, over the inbox's.
///
/// See `PageKind` for how to add one.
public protocol Page: Viewer {
    /// What is shown, without a title bar: a new widget.
    var root: Ref { get }
    /// The person closed the window: the page goes.
    func close()
    /// Does what the page's suggested button does, for Ctrl+Enter.
    func submit()
    /// Whether the page holds text or an operation that would be lost if another page replaced it.
    var isInUse: Bool { get }
}

extension Page {
    public func close() {}
    public func submit() {}
    public var isInUse: Bool { false }
}

/// What a page works with.
public struct PageSurroundings {
    public let conductor: Conductor
    public let environment: [String: String]
    /// Says something in passing, in the page's window where it has one.
    public let tell: (String) -> Void
    /// Has the inbox's window do what an action of it names; its target is a text, where it has one.
    let act: (_ action: String, _ target: String?) -> Void
}
