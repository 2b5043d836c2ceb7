/// What the daemon, `ctl` and the requests to the API call themselves.
public enum Product {
    public static let name = "cutied"
    /// As a person reads it: the name in the .desktop file.
    public static let title = "Cuti-E"
    /// The name of the .desktop file and of the icon, without the ending.
    public static let desktopEntry = "io.cutied.Cutied"
    public static let version = "0.2.0"
}
