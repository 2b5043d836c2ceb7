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

    /// The path of the window, `cutied-inbox`: in PATH, or where this program is installed, which the user manager's PATH
    /// may not have.
    public var inbox: String? {
        if let path = path(of: Self.inboxName) { return path }
        // A directory of builds is nobody's installation.
        guard let own = OwnProgram.path, let end = own.lastIndex(of: "/"), own[..<end].hasSuffix("/bin")
        else {
            return nil
        }
        return path(of: own[...end] + Self.inboxName)
    }

    private static let inboxName = "cutied-inbox"

    /// The paths of the programs that show a text or ask for one.
    public var dialogs: [String] { ["zenity", "kdialog"].compactMap(path) }
}

/// A terminal that can show a program in a window of its own.
public struct TerminalWindow: Hashable, Sendable {
    /// The terminal and what it takes before the program and its arguments.
    private let opening: [String]

    /// The name of the terminal's program.
    public var name: String { opening.first?.split(separator: "/").last.map(String.init) ?? "" }

    /// The argv of a window with `command` in it.
    public func showing(_ command: [String]) -> [String] { opening + command }

    /// Those that are installed, the one to be tried first at the head: what the person says by TERMINAL, what
    /// the system has chosen, the one of the desktop, any.
    public static func installed(in environment: [String: String]) -> [TerminalWindow] {
        let programs = InstalledPrograms(environment: environment)
        let desktops = environment["XDG_CURRENT_DESKTOP"]?.uppercased().split(separator: ":") ?? []
        let own = known.filter { terminal in terminal.desktop.map { desktops.contains($0[...]) } ?? false }
        let named = environment.value(of: "TERMINAL").map { [Known(named: $0)] } ?? []
        var windows: [TerminalWindow] = []
        for terminal in named + chosen + own + known {
            guard let path = programs.path(of: terminal.name) else { continue }
            let window = TerminalWindow(opening: [path] + terminal.options)
            if !windows.contains(window) { windows.append(window) }
        }
        return windows
    }

    /// How a terminal wants to be told of a program: there is no option that all of them know.
    private struct Known {
        let name: String
        let options: [String]
        var desktop: String?

        init(_ name: String, _ options: String..., of desktop: String? = nil) {
            (self.name, self.options, self.desktop) = (name, options, desktop)
        }

        /// TERMINAL may name one that wants something else than `-e`, which is what all others take.
        init(named name: String) {
            let file = name.split(separator: "/").last ?? ""
            options = (chosen + known).first { $0.name == file }?.options ?? ["-e"]
            (self.name, desktop) = (name, nil)
        }
    }

    /// What a distribution or the person has chosen.
    private static let chosen = [Known("xdg-terminal-exec"), Known("x-terminal-emulator", "-e")]

    private static let known = [
        Known("ptyxis", "--new-window", "--", of: "GNOME"), Known("kgx", "--", of: "GNOME"),
        Known("gnome-terminal", "--", of: "GNOME"), Known("konsole", "-e", of: "KDE"),
        Known("xfce4-terminal", "-x", of: "XFCE"), Known("mate-terminal", "-x", of: "MATE"),
        Known("qterminal", "-e", of: "LXQT"), Known("cosmic-term", "--", of: "COSMIC"), Known("foot"),
        Known("alacritty", "-e"), Known("kitty"), Known("wezterm", "start", "--"), Known("ghostty", "-e"),
        Known("terminator", "-x"), Known("urxvt", "-e"), Known("st", "-e"), Known("xterm", "-e"),
    ]
}
