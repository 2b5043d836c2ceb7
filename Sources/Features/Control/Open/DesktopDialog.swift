import Glibc
import Localization
import Platform
import Runtime

/// A desktop dialog that displays a conversation or accepts a reply.
struct DesktopDialog: Sendable {
    let kind: Kind
    let path: String
    let launcher: Launcher
    let environment: [String: String]
    let display: [String: String]

    enum Kind: String, CaseIterable, Sendable {
        case zenity, kdialog
    }

    /// The time after which an open dialog is considered shown.
    private static let minDisplayTime = Duration.seconds(1)
    /// The timeout of a dialog: one day.
    private static let timeout = Duration.seconds(86_400)

    /// Shows `text` until the user closes the dialog. Returns `false` if the dialog did not appear.
    func showText(_ text: String, onShown: @escaping @Sendable () async -> Void) async -> Bool {
        guard let file = try? DialogFile(text, in: directory) else { return false }
        let arguments =
            switch kind {
            case .zenity: ["--text-info", "--filename=" + file.path, "--title=Cuti-E"] + Self.size
            case .kdialog: ["--title", "Cuti-E", "--textbox", file.path, "640", "480"]
            }
        let outcome = await callWhenShown(onShown) {
            try? await launcher.launch([path] + arguments, addingVariables: display, within: Self.timeout)
        }
        withExtendedLifetime(file) {}
        // Exit code 1 means that the user closed the window.
        let isShown = outcome == .running || outcome == .exited(code: 0) || outcome == .exited(code: 1)
        if isShown { await onShown() }
        return isShown
    }

    /// Opens a dialog for a reply and returns the text; `nil` if the user cancels.
    func composeReply(
        using form: ReplyForm, onShown: @escaping @Sendable () async -> Void
    ) async throws -> String? {
        let title = localized("Reply – {title}", ["title": form.title])
        switch kind {
        case .zenity:
            // The multi-line dialog of zenity has no label, so the unanswered messages are shown in the text
            // field.
            let file = try DialogFile(form.template, in: directory)
            defer { withExtendedLifetime(file) {} }
            let arguments = ["--text-info", "--editable", "--filename=" + file.path, "--title=" + title]
            let written = await callWhenShown(onShown) {
                await runDialog(arguments: arguments + ["--ok-label=" + localized("Send")] + Self.size)
            }
            return written.map(form.extractReply(from:))
        case .kdialog:
            let arguments = ["--title", title, "--textinputbox", Self.escapedForKDialog(form.label), ""]
            return await callWhenShown(onShown) { await runDialog(arguments: arguments) }
        }
    }

    /// Asks a question. Returns `false` if the user declines or no dialog can be shown.
    func askForConfirmation(question: String, confirmLabel: String) async -> Bool {
        let arguments =
            switch kind {
            case .zenity:
                [
                    "--question", "--no-markup", "--title=Cuti-E", "--ok-label=" + confirmLabel,
                    "--text=" + question,
                ]
            case .kdialog:
                [
                    "--title", "Cuti-E", "--warningcontinuecancel", Self.escapedForKDialog(question),
                    "--continue-label", confirmLabel,
                ]
            }
        return await runDialog(arguments: arguments) != nil
    }

    func showError(_ text: String) async {
        let arguments =
            switch kind {
            case .zenity: ["--error", "--no-markup", "--title=Cuti-E", "--text=" + text]
            case .kdialog: ["--title", "Cuti-E", "--error", Self.escapedForKDialog(text)]
            }
        _ = await runDialog(arguments: arguments)
    }

    private static let size = ["--width=640", "--height=480"]

    /// Escapes text for kdialog, which interprets backslash escapes and HTML, and would load images.
    static func escapedForKDialog(_ text: String) -> String {
        let escaped = text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\n": escaped += "<br>"
            case "\\": escaped += "\\\\"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return "<html>" + escaped + "</html>"
    }

    /// Runs the dialog and returns its output; `nil` unless the user closes the dialog with the first
    /// button.
    /// The dialog runs as a child process, because the user manager would not return the output. Standard
    /// error is discarded, because toolkits always print warnings.
    private func runDialog(arguments: [String]) async -> String? {
        let report = try? await Launcher.run(
            ["/bin/sh", "-c", #"exec "$0" "$@" 2>/dev/null"#, path] + arguments, environment: environment,
            within: Self.timeout, outputLimit: 2 << 20)
        return report?.outcome == .exited(code: 0) ? report?.output : nil
    }

    /// Runs `body`, which shows a dialog, and calls `onShown` when the dialog is considered shown.
    private func callWhenShown<Result: Sendable>(
        _ onShown: @escaping @Sendable () async -> Void, during body: () async -> Result
    ) async -> Result {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                guard (try? await EventLoop.shared.sleep(for: Self.minDisplayTime)) != nil else { return }
                await onShown()
            }
            let result = await body()
            group.cancelAll()
            return result
        }
    }

    private var directory: String {
        environment.nonEmptyValue(named: "XDG_RUNTIME_DIR") ?? environment.nonEmptyValue(named: "TMPDIR")
            ?? "/tmp"
    }
}

/// A temporary file with the text of a dialog, readable only by the user. `deinit` deletes the file.
private final class DialogFile {
    let path: String

    init(_ text: String, in directory: String) throws {
        var template = Array((directory + "/cutied-XXXXXX").utf8CString)
        // `mkstemp` creates the file with mode 0600.
        let file = mkstemp(&template)
        guard file >= 0 else { throw CommandError(.failed, "cannot write in \(directory)") }
        close(file)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try SmallFile.replace(path, with: Array(text.utf8))
    }

    deinit { unlink(path) }
}
