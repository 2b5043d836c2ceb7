import Foundation
import Synchronization

/// A tray and a launcher that record all calls and display nothing.
public final class RecordingTray: Sendable {
    private let process: AttachedProcess
    private let orders = Atomic(0)

    public init(on bus: PrivateBus) async throws {
        process = try await AttachedProcess(
            ["/usr/bin/python3", "-c", Self.script], environment: bus.environment, listens: true)
        try await eventually("the name of the tray") { [process] in process.lines.first == "ready" }
    }

    /// The properties of an icon (org.kde.StatusNotifierItem).
    public struct Appearance: Decodable, Hashable, Sendable {
        public let icon: String
        public let heading: String
        public let text: String
        public let label: String
        public let itemIsMenu: Bool
    }

    /// An item of the icon's menu. The label of a separator is empty.
    public struct Item: Decodable, Hashable, Sendable {
        public let label: String
        public let isEnabled: Bool
        public let children: [Item]
    }

    /// An unread count that a program sent to launchers.
    public struct Count: Decodable, Hashable, Sendable {
        public let uri: String
        public let count: Int
        public let isVisible: Bool

        public init(uri: String, count: Int, isVisible: Bool) {
            (self.uri, self.count, self.isVisible) = (uri, count, isVisible)
        }
    }

    /// The bus names of all registered icons, oldest first.
    public var registrations: [String] { records.compactMap(\.registered) }

    /// The counts that were sent, oldest first.
    public var counts: [Count] { records.compactMap(\.counted) }

    public func fetchAppearance() async throws -> Appearance {
        try await answer(to: "look").look.unwrapped("no look")
    }

    public func menu() async throws -> [Item] { try await answer(to: "menu").menu.unwrapped("no menu") }

    /// Clicks the icon with the activation token `token`.
    public func click(token: String? = nil) async throws {
        _ = try await answer(to: "click " + (token ?? ""))
    }

    /// Activates the menu item with the label `label`, which may be in a submenu.
    public func choose(_ label: String) async throws {
        guard try await answer(to: "choose " + label).hasChosen == true else {
            throw TrayFailure(description: "the menu has no \(label): \(try await menu())")
        }
    }

    /// Releases the bus names of the tray and the launcher and acquires them again, as a restarted panel
    /// does.
    public func restart() async throws { _ = try await answer(to: "restart") }

    private struct Record: Decodable {
        var registered: String?
        var counted: Count?
        var answer: Int?
        var look: Appearance?
        var menu: [Item]?
        var hasChosen: Bool?
        var failure: String?
    }

    private var records: [Record] {
        process.lines.compactMap { try? JSONDecoder().decode(Record.self, from: Data($0.utf8)) }
    }

    private func answer(to order: String) async throws -> Record {
        let number = orders.add(1, ordering: .relaxed).newValue
        try process.send("\(number) \(order)")
        try await eventually("the answer of the tray to: \(order)") {
            records.contains { $0.answer == number }
        }
        let answer = try records.first { $0.answer == number }.unwrapped("no answer")
        if let failure = answer.failure { throw TrayFailure(description: failure) }
        return answer
    }

    /// A tray in Python. Requires Debian's python3 with python3-dbus and python3-gi.
    private static let script = #"""
        import dbus, dbus.mainloop.glib, dbus.service, json, sys
        from gi.repository import GLib

        NAMES = ["com.canonical.Unity", "org.kde.StatusNotifierWatcher"]
        ITEM = "org.kde.StatusNotifierItem"
        MENU = "com.canonical.dbusmenu"

        def tell(**record):
            print(json.dumps(record), flush=True)

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()

        class Watcher(dbus.service.Object):
            item = None

            @dbus.service.method(NAMES[1], in_signature="s")
            def RegisterStatusNotifierItem(self, name):
                self.item = str(name)
                tell(registered=self.item)

        watcher = Watcher(bus, "/StatusNotifierWatcher")

        def updated(uri, properties):
            tell(counted=dict(
                uri=str(uri), count=int(properties["count"]), isVisible=bool(properties["count-visible"])))

        bus.add_signal_receiver(updated, "Update", "com.canonical.Unity.LauncherEntry")

        def item(path="/StatusNotifierItem"):
            return bus.get_object(watcher.item, path, introspect=False)

        def look():
            known = item().GetAll(ITEM, dbus_interface=dbus.PROPERTIES_IFACE)
            return dict(
                icon=known["IconName"], heading=known["ToolTip"][2], text=known["ToolTip"][3],
                label=known["XAyatanaLabel"], itemIsMenu=bool(known["ItemIsMenu"])), str(known["Menu"])

        def layout():
            menu = item(look()[1])
            return menu, menu.GetLayout(0, -1, [], dbus_interface=MENU, signature="iias")[1]

        def tree(node):
            id, known, children = node
            return dict(
                label=str(known.get("label", "")), isEnabled=bool(known.get("enabled", True)),
                children=[tree(child) for child in children])

        def find(node, label):
            if str(node[1].get("label", "")) == label:
                return node[0]
            found = [find(child, label) for child in node[2]]
            return next((id for id in found if id is not None), None)

        def perform(order, argument):
            if order == "look":
                return dict(look=look()[0])
            if order == "menu":
                return dict(menu=tree(layout()[1])["children"])
            if order == "click":
                if argument:
                    item().ProvideXdgActivationToken(argument, dbus_interface=ITEM)
                item().Activate(0, 0, dbus_interface=ITEM, signature="ii")
            elif order == "choose":
                menu, root = layout()
                id = find(root, argument)
                if id is not None:
                    menu.Event(id, "clicked", dbus.Int32(0), 0, dbus_interface=MENU, signature="isvu")
                return dict(hasChosen=id is not None)
            elif order == "restart":
                for name in NAMES:
                    bus.release_name(name)
                watcher.item = None
                for name in NAMES:
                    bus.request_name(name)
            return {}

        def read(source, condition):
            line = sys.stdin.readline()
            if not line:
                loop.quit()
                return False
            number, order, argument = (line.rstrip("\n") + "  ").split(" ", 2)
            try:
                tell(answer=int(number), **perform(order, argument.rstrip(" ")))
            except dbus.DBusException as error:
                tell(answer=int(number), failure=str(error))
            return True

        for name in NAMES:
            bus.request_name(name)
        loop = GLib.MainLoop()
        GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
        print("ready", flush=True)
        loop.run()
        """#
}

/// The error thrown if the tray, or the program with the icon, does not behave as a test requires.
public struct TrayFailure: Error, CustomStringConvertible {
    public let description: String
}

extension Optional {
    fileprivate func unwrapped(_ reason: String) throws -> Wrapped {
        guard let self else { throw TrayFailure(description: reason) }
        return self
    }
}
