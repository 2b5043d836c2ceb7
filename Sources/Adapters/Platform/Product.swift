/// The names of the product. `name` identifies the product in the daemon, in `ctl` and in API requests.
public enum Product {
    public static let name = "cutied"
    /// The display name of the product, which is also in the .desktop file.
    public static let title = "Cuti-E"
    /// The base name of the .desktop file and of the icon.
    public static let desktopEntry = "io.cutied.Cutied"
    /// The base name of the .desktop file of the window.
    public static let inboxDesktopEntry = "io.cutied.Inbox"
    public static let website = "https://github.com/cutied/cutied"
    public static let version = "0.2.0"

    /// The environment variable that the daemon sets when it starts `cutied open`. If the variable is set,
    /// the daemon already knows which conversation the user opens, so the program does not report the
    /// conversation again.
    public static let openingVariable = "CUTIED_OPENING_REPORTED"

    /// Returns whether a .desktop file belongs to this product. Such a file must not be used to open a
    /// `cutie://` link, because the file would start this program again.
    public static func includes(desktopFile name: String) -> Bool {
        [desktopEntry, inboxDesktopEntry].contains { $0 + ".desktop" == name }
    }
}
