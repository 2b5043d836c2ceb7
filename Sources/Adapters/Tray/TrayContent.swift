/// The content of the tray icon, its menu and the launcher.
public struct TrayContent: Hashable, Sendable {
    /// The name of an icon in the icon theme.
    public var icon: String
    /// The first line of the tooltip.
    public var heading: String
    /// The second line of the tooltip; may be empty.
    public var text: String
    /// The label next to the icon, which only some tray hosts show; may be empty.
    public var label: String
    /// The count on the launcher; 0 to show no count.
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

/// A menu item. Labels are plain text without mnemonics.
public enum TrayMenuItem: Hashable, Sendable {
    /// An item that the user can choose. The `chosen` event contains `command`.
    case command(String, label: String)
    /// A line of text that the user cannot choose.
    case text(String)
    case separator
    /// A submenu, which must not contain another submenu.
    case submenu(String, [TrayMenuItem])
}

/// An event of the tray.
public enum TrayEvent: Hashable, Sendable {
    /// The user clicked the icon. `token` is the activation token; `nil` if the tray host sent no token.
    case activated(token: String?)
    /// The user chose a menu item.
    case chosen(command: String)
    /// A tray host or a launcher appeared or disappeared. `hasTray`: whether a tray host shows the icon.
    /// `hasLauncher`: whether a launcher shows the count.
    case hosts(hasTray: Bool, hasLauncher: Bool)
    /// The tray is not available: there is no session bus, the bus closed the connection, or another process
    /// shows the icon.
    case disconnected
}
