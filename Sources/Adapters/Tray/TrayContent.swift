/// The content of the icon, its menu and its launcher.
public struct TrayContent: Hashable, Sendable {
    /// The name of an icon in the icon theme.
    public var icon: String
    /// The first line of the tooltip.
    public var heading: String
    /// The second line of the tooltip; may be empty.
    public var text: String
    /// The text next to the icon, on hosts that show a label; may be empty.
    public var label: String
    /// The number on the launcher; 0 for none.
    public var count: Int
    public var menu: [TrayMenuItem]

    public init(
        icon: String, heading: String, text: String = "", label: String = "", count: Int = 0,
        menu: [TrayMenuItem]
    ) {
        (self.icon, self.heading, self.text, self.label) = (icon, heading, text, label)
        (self.count, self.menu) = (count, menu)
    }
}

/// An item of the menu. Labels are plain text without mnemonics.
public enum TrayMenuItem: Hashable, Sendable {
    /// A command. `command` is the value in the `chosen` event.
    case command(String, label: String)
    /// A label that cannot be chosen.
    case note(String)
    case separator
    /// A submenu, which must not contain another submenu.
    case submenu(String, [TrayMenuItem])
}

/// An event of the tray.
public enum TrayEvent: Hashable, Sendable {
    /// The icon was clicked. `token`: the activation token; `nil` if the host sent none.
    case activated(token: String?)
    /// A menu item was chosen.
    case chosen(command: String)
    /// Whether a tray shows the icon, and whether a launcher shows the count.
    case hosts(hasTray: Bool, hasLauncher: Bool)
    /// The session bus is missing or closed the connection, or another process shows the icon.
    case disconnected
}
