import Glibc

/// Where programs are that a desktop brings, by the environment they are started in.
public struct InstalledPrograms: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// The path of a program in PATH, or of one that is named by its path; nil where it is not there.
    public func path(of name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let path = environment.value(of: "PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// The paths of the programs that show a text or ask for one.
    public var dialogs: [String] { ["zenity", "kdialog"].compactMap(path) }
}
