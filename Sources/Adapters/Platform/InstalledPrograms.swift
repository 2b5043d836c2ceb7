import Glibc

/// A search for installed desktop programs, based on the PATH of an environment.
public struct InstalledPrograms: Sendable {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// Returns the path of a program: `name` if it contains a slash, otherwise the first match in PATH.
    /// Returns `nil` if there is no such executable file.
    public func path(ofProgram name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let path = environment.nonEmptyValue(named: "PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// The path of `cutied-inbox` in PATH, or in the `bin` directory of this installation, which may be
    /// missing from the PATH of the user manager.
    public var inbox: String? {
        if let path = path(ofProgram: Self.inboxName) { return path }
        // Do not use a `cutied-inbox` in a build directory.
        guard let directory = Installation.current?.commandDirectory, directory.hasSuffix("/bin") else {
            return nil
        }
        return path(ofProgram: directory + "/" + Self.inboxName)
    }

    private static let inboxName = "cutied-inbox"

    /// The paths of the dialog programs that are installed.
    public var dialogs: [String] { ["zenity", "kdialog"].compactMap(path) }
}

/// A terminal emulator that can run a program in a new window.
public struct TerminalEmulator: Hashable, Sendable {
    /// The command line of the terminal emulator, without the program to run.
    private let launchArguments: [String]

    /// The file name of the terminal emulator.
    public var name: String { launchArguments.first?.split(separator: "/").last.map(String.init) ?? "" }

    /// Returns the command line that runs `command` in a new window.
    public func commandLine(running command: [String]) -> [String] { launchArguments + command }

    /// Returns the installed terminal emulators in order of preference: the variable TERMINAL, the default of
    /// the distribution or user, the terminal emulator of the desktop, any other known terminal emulator.
    public static func findInstalled(in environment: [String: String]) -> [TerminalEmulator] {
        let programs = InstalledPrograms(environment: environment)
        let desktops = environment["XDG_CURRENT_DESKTOP"]?.uppercased().split(separator: ":") ?? []
        let own = known.filter { terminal in terminal.desktop.map { desktops.contains($0[...]) } ?? false }
        let named = environment.nonEmptyValue(named: "TERMINAL").map { [KnownTerminal(named: $0)] } ?? []
        var windows: [TerminalEmulator] = []
        for terminal in named + chosen + own + known {
            guard let path = programs.path(ofProgram: terminal.name) else { continue }
            let window = TerminalEmulator(launchArguments: [path] + terminal.options)
            if !windows.contains(window) { windows.append(window) }
        }
        return windows
    }

    /// A terminal emulator and the options that precede the program to run, which differ between terminal
    /// emulators.
    private struct KnownTerminal {
        let name: String
        let options: [String]
        var desktop: String?

        init(_ name: String, _ options: String..., of desktop: String? = nil) {
            (self.name, self.options, self.desktop) = (name, options, desktop)
        }

        /// Creates the entry for the variable TERMINAL. For an unknown terminal emulator, uses the option
        /// `-e`, which most terminal emulators accept.
        init(named name: String) {
            let file = name.split(separator: "/").last ?? ""
            options = (chosen + known).first { $0.name == file }?.options ?? ["-e"]
            (self.name, desktop) = (name, nil)
        }
    }

    /// Launchers for the default terminal emulator of the user or the distribution.
    private static let chosen = [
        KnownTerminal("xdg-terminal-exec"), KnownTerminal("x-terminal-emulator", "-e"),
    ]

    private static let known = [
        KnownTerminal("ptyxis", "--new-window", "--", of: "GNOME"), KnownTerminal("kgx", "--", of: "GNOME"),
        KnownTerminal("gnome-terminal", "--", of: "GNOME"), KnownTerminal("konsole", "-e", of: "KDE"),
        KnownTerminal("xfce4-terminal", "-x", of: "XFCE"), KnownTerminal("mate-terminal", "-x", of: "MATE"),
        KnownTerminal("qterminal", "-e", of: "LXQT"), KnownTerminal("cosmic-term", "--", of: "COSMIC"),
        KnownTerminal("foot"),
        KnownTerminal("alacritty", "-e"), KnownTerminal("kitty"), KnownTerminal("wezterm", "start", "--"),
        KnownTerminal("ghostty", "-e"),
        KnownTerminal("terminator", "-x"), KnownTerminal("urxvt", "-e"), KnownTerminal("st", "-e"),
        KnownTerminal("xterm", "-e"),
    ]
}
