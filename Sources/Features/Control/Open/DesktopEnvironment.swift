import Platform

/// The user's desktop session, which shows terminal windows and dialogs.
struct DesktopEnvironment: Sendable {
    private let environment: [String: String]
    /// Returns the path of this program, which runs in the terminal window.
    private let program: @Sendable () -> String

    /// Creates the desktop of an environment. `program` is evaluated only if a terminal window is opened,
    /// because most commands open no terminal window.
    init(environment: [String: String], program: @autoclosure @escaping @Sendable () -> String) {
        self.environment = environment
        self.program = program
    }

    private var launcher: Launcher { Launcher(environment: environment) }

    /// Opens the inbox window with `arguments`. Returns `false` if there is no display, or the window is not
    /// installed or does not start.
    func showInbox(arguments: [String]) async -> Bool {
        guard environment.hasDisplay, let inbox = InstalledPrograms(environment: environment).inbox else {
            return false
        }
        return await startProgram(commandLine: [inbox] + arguments)
    }

    /// Runs this program with `arguments` in a terminal window. Returns `false` if there is no display, or no
    /// terminal starts.
    func runInTerminal(arguments: [String]) async -> Bool {
        guard environment.hasDisplay else { return false }
        for terminal in TerminalEmulator.findInstalled(in: environment)
        where await startProgram(commandLine: terminal.commandLine(running: [program()] + arguments)) {
            return true
        }
        return false
    }

    /// Opens a web page in the user's browser. Returns `false` if there is no display, or no browser starts.
    func openPage(at address: String) async -> Bool {
        guard environment.hasDisplay else { return false }
        return await startProgram(commandLine: ["xdg-open", address])
    }

    private func startProgram(commandLine arguments: [String]) async -> Bool {
        (try? await launcher.launch(arguments, addingVariables: display))?.isSuccess == true
    }

    /// An installed dialog program; `nil` if there is no display, or if no dialog program is installed.
    var dialog: DesktopDialog? {
        guard environment.hasDisplay else { return nil }
        let programs = InstalledPrograms(environment: environment)
        return DesktopDialog.Kind.allCases.lazy.compactMap { kind in
            programs.path(ofProgram: kind.rawValue).map { path in
                DesktopDialog(
                    kind: kind, path: path, launcher: launcher, environment: environment, display: display)
            }
        }.first
    }

    /// The display variables for a program that the user manager starts. Passed to the program, because the
    /// environment of the user manager may contain another display.
    private var display: [String: String] {
        let names = [
            "CUTIED_SOCKET", "DESKTOP_STARTUP_ID", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            "XDG_ACTIVATION_TOKEN",
        ]
        return environment.filter { names.contains($0.key) && !$0.value.isEmpty }
    }
}
