import Foundation

/// Another program on the screen, which offers content in the clipboard or for drag and drop.
public final class DesktopPeer: Sendable {
    private let process: AttachedProcess

    public enum Offer: String, Sendable {
        /// An image in the clipboard.
        case image
        /// Text in the clipboard.
        case text
        /// Files in the clipboard, in the format of file managers.
        case files
        /// A window with the title "Files", from which a file can be dragged.
        case drag
        /// A window with the title "Files", from which the URL of a web page can be dragged.
        case link
    }

    /// Starts the program and waits until it offers the content.
    public init(_ offer: Offer, environment: [String: String]) async throws {
        process = try await AttachedProcess(
            ["/usr/bin/python3", "-c", Self.script, offer.rawValue], environment: environment)
        try await eventually("the offered \(offer)") { [process] in process.lines.first == "ready" }
    }

    public func end() async throws { try await process.killProcess() }

    private static let script = #"""
        import sys
        import gi
        gi.require_version("Gtk", "4.0")
        from gi.repository import Gdk, Gio, GLib, Gtk

        Gtk.init()
        offer = sys.argv[1]

        def content(kind, data):
            return Gdk.ContentProvider.new_for_bytes(kind, GLib.Bytes.new(data))

        if offer in ("drag", "link"):
            uri = b"file:///etc/hostname\r\n" if offer == "drag" else b"https://example.com/page\r\n"
            window = Gtk.Window(title="Files", default_width=120, default_height=80, decorated=False)
            label = Gtk.Label(label="File")
            label.set_hexpand(True)
            source = Gtk.DragSource()
            source.connect("prepare", lambda *_: Gdk.ContentProvider.new_union(
                [content("text/uri-list", uri), content("text/plain", uri)]))
            label.add_controller(source)
            window.set_child(label)
            window.connect("map", lambda _: GLib.timeout_add(300, lambda: print("ready", flush=True)))
            window.present()
        else:
            providers = {
                "image": lambda: [content("image/png", b"\x89PNG\r\n")],
                "text": lambda: [content("text/plain;charset=utf-8", b"pasted"), content("text/plain", b"pasted")],
                "files": lambda: [content("x-special/gnome-copied-files", b"copy\nfile:///etc/hostname"),
                                  content("text/plain;charset=utf-8", b"/etc/hostname")],
            }[offer]()
            clipboard = Gdk.Display.get_default().get_clipboard()
            clipboard.set_content(Gdk.ContentProvider.new_union(providers))
            print("ready", flush=True)
        GLib.MainLoop().run()
        """#
}
