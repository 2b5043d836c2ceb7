/// The names of the product. `name` is the name in the daemon, in `ctl` and in requests to the API.
public enum Product {
    public static let name = "cutied"
    /// The display name, as in the .desktop file.
    public static let title = "Cuti-E"
    /// The name of the .desktop file and of the icon, without the extension.
    public static let desktopEntry = "io.cutied.Cutied"
    /// The name of the window's .desktop file, without the extension.
    public static let inboxDesktopEntry = "io.cutied.Inbox"
    public static let website = "https://github.com/cutied/cutied"
    public static let version = "0.2.0"

    /// An environment variable for `cutied open`, which is set if the daemon starts the program, because the
    /// daemon already knows that the user opens the conversation.
    public static let openingVariable = "CUTIED_OPENING_REPORTED"

    /// Returns whether a .desktop file belongs to the daemon or to the window. Opening a `cutie://` link with
    /// this file would start this program again.
    public static func isOwn(desktopFile name: String) -> Bool {
        [desktopEntry, inboxDesktopEntry].contains { $0 + ".desktop" == name }
    }
}
