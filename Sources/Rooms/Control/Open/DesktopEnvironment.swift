import Platform

/// The person's desktop: what a terminal window or a dialog needs to be on it.
struct DesktopEnvironment: Sendable {
    private let environment: [String: String]
    /// This program, to be run in the terminal window.
    private let program: String
    private let launcher: Launcher

    init(environment: [String: String], program: String) {
        self.environment = environment
        self.program = program
        launcher = Launcher(environment: environment)
    }

    /// Shows something in the window, with its `arguments`. False where there is no display, no window, or one that
    /// does not start.
    func showInbox(_ arguments: [String]) async -> Bool {
        guard environment.hasDisplay, let inbox = InstalledPrograms(environment: environment).inbox else {
            return false
        }
        return await start([inbox] + arguments)
    }

    /// Runs this program in a terminal window, with `arguments`. False where there is no display, no terminal,
    /// or none that starts.
    func runInTerminal(_ arguments: [String]) async -> Bool {
        guard environment.hasDisplay else { return false }
        for terminal in TerminalWindow.installed(in: environment)
        where await start(terminal.showing([program] + arguments)) {
            return true
        }
        return false
    }

    /// Shows a page of the web in the person's browser. False where there is no display, or nothing starts.
    func openPage(_ address: String) async -> Bool {
        guard environment.hasDisplay else { return false }
        return await start(["xdg-open", address])
    }

    private func start(_ arguments: [String]) async -> Bool {
        (try? await launcher.launch(arguments, adding: display))?.isSuccess == true
    }

    /// nil where there is no display, or nothing to show a dialog with.
    var dialog: DesktopDialog? {
        guard environment.hasDisplay else { return nil }
        let programs = InstalledPrograms(environment: environment)
        return DesktopDialog.Kind.allCases.lazy.compactMap { kind in
            programs.path(of: kind.rawValue).map { path in
                DesktopDialog(
                    kind: kind, path: path, launcher: launcher, environment: environment, display: display)
            }
        }.first
    }

    /// What a program needs that the user manager starts: it may know of another display than ours.
    private var display: [String: String] {
        let names = [
            "CUTIED_SOCKET", "DESKTOP_STARTUP_ID", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY",
            "XDG_ACTIVATION_TOKEN",
        ]
        return environment.filter { names.contains($0.key) && !$0.value.isEmpty }
    }
}
