/// What the daemon, `ctl` and the requests to the API call themselves.
public enum Product {
    public static let name = "cutied"
    /// The name of the .desktop file and of the icon, without the ending.
    public static let desktopEntry = "io.cutied.Cutied"
    public static let version = "0.1.0"
}
