import Glibc
import Platform

/// A window on the desktop for a thread: a terminal's, else a dialog.
struct LinkWindow: Sendable {
    private let environment: [String: String]
    /// This program, to be run in the terminal window.
    private let program: String
    private let launcher: Launcher

    init(environment: [String: String], program: String) {
        self.environment = environment
        self.program = program
        launcher = Launcher(environment: environment)
    }

    /// False where there is nothing to show it with.
    func show(_ link: String, thread: () -> String) async -> Bool {
        for terminal in TerminalWindow.installed(in: environment)
        where await start(terminal.showing([program, "open", "--hold", link])) {
            return true
        }
        for dialog in InstalledPrograms(environment: environment).dialogs
        where await show(thread(), in: dialog) {
            return true
        }
        return false
    }

    /// It reads the text from a file, as a program that the user manager starts has no standard input.
    private func show(_ text: String, in dialog: String) async -> Bool {
        let directory = environment.value(of: "XDG_RUNTIME_DIR") ?? environment.value(of: "TMPDIR") ?? "/tmp"
        guard let file = try? ThreadFile(text, in: directory) else { return false }
        let size = ["--title=Cuti-E", "--width=640", "--height=480"]
        let arguments =
            dialog.hasSuffix("/zenity")
            ? ["--text-info", "--filename=" + file.path] + size
            : ["--title", "Cuti-E", "--textbox", file.path, "640", "480"]
        // As long as it is open: the file is needed until then.
        let outcome = try? await launcher.launch(
            [dialog] + arguments, adding: display, within: .seconds(86_400))
        withExtendedLifetime(file) {}
        // 1 is how a person closes a window.
        return outcome == .running || outcome == .exited(code: 0) || outcome == .exited(code: 1)
    }

    private func start(_ arguments: [String]) async -> Bool {
        (try? await launcher.launch(arguments, adding: display))?.isSuccess == true
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

/// A thread's text for a dialog, for its person's eyes only; gone with the value.
private final class ThreadFile {
    let path: String

    init(_ text: String, in directory: String) throws {
        var template = Array((directory + "/cutied-XXXXXX").utf8CString)
        // Makes it 0600.
        let file = mkstemp(&template)
        guard file >= 0 else { throw Complaint(.failed, "cannot write in \(directory)") }
        close(file)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try SmallFile.replace(path, with: Array(text.utf8))
    }

    deinit { unlink(path) }
}
