import Glibc
import Localization
import Platform
import Threads

/// A dialog of the desktop: a thread to read, or a reply to write.
struct DesktopDialog: Sendable {
    let kind: Kind
    let path: String
    let launcher: Launcher
    let environment: [String: String]
    let display: [String: String]

    enum Kind: String, CaseIterable, Sendable {
        case zenity, kdialog
    }

    /// A dialog that is there after this time has been seen.
    private static let glance = Duration.seconds(1)
    /// A day: as long as a thread is left open.
    private static let patience = Duration.seconds(86_400)

    /// Shows `text`, as long as the person likes. False where the dialog did not come up.
    func show(_ text: String, onceSeen: @escaping @Sendable () async -> Void) async -> Bool {
        guard let file = try? DialogFile(text, in: directory) else { return false }
        let arguments =
            switch kind {
            case .zenity: ["--text-info", "--filename=" + file.path, "--title=Cuti-E"] + Self.size
            case .kdialog: ["--title", "Cuti-E", "--textbox", file.path, "640", "480"]
            }
        let outcome = await whileSeen(onceSeen) {
            try? await launcher.launch([path] + arguments, adding: display, within: Self.patience)
        }
        withExtendedLifetime(file) {}
        // 1 is how a person closes a window.
        let isShown = outcome == .running || outcome == .exited(code: 0) || outcome == .exited(code: 1)
        if isShown { await onceSeen() }
        return isShown
    }

    /// Has the person write; nil where they do not want to.
    func compose(
        _ form: ReplyForm, onceSeen: @escaping @Sendable () async -> Void
    ) async throws -> String? {
        let title = localized("Reply – {title}", ["title": form.title])
        switch kind {
        case .zenity:
            // It has no place for another text than the one that is written in.
            let file = try DialogFile(form.sheet, in: directory)
            defer { withExtendedLifetime(file) {} }
            let arguments = ["--text-info", "--editable", "--filename=" + file.path, "--title=" + title]
            let written = await whileSeen(onceSeen) {
                await answer(to: arguments + ["--ok-label=" + localized("Send")] + Self.size)
            }
            return written.map(form.reply(on:))
        case .kdialog:
            let arguments = ["--title", title, "--textinputbox", Self.literal(form.label), ""]
            return await whileSeen(onceSeen) { await answer(to: arguments) }
        }
    }

    /// False: no, or nobody could be asked.
    func ask(_ question: String, yes: String) async -> Bool {
        let arguments =
            switch kind {
            case .zenity:
                ["--question", "--no-markup", "--title=Cuti-E", "--ok-label=" + yes, "--text=" + question]
            case .kdialog:
                [
                    "--title", "Cuti-E", "--warningcontinuecancel", Self.literal(question),
                    "--continue-label", yes,
                ]
            }
        return await answer(to: arguments) != nil
    }

    func tell(_ text: String) async {
        let arguments =
            switch kind {
            case .zenity: ["--error", "--no-markup", "--title=Cuti-E", "--text=" + text]
            case .kdialog: ["--title", "Cuti-E", "--error", Self.literal(text)]
            }
        _ = await answer(to: arguments)
    }

    private static let size = ["--width=640", "--height=480"]

    /// kdialog takes what looks like HTML for it, and would load its pictures; and it reads escapes.
    static func literal(_ text: String) -> String {
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

    /// What it wrote; nil where it ended otherwise than by its first button. Here and not by the user manager,
    /// which would not hand over what it writes; without its complaints, which toolkits always have.
    private func answer(to arguments: [String]) async -> String? {
        let report = try? await Launcher.run(
            ["/bin/sh", "-c", #"exec "$0" "$@" 2>/dev/null"#, path] + arguments, environment: environment,
            within: Self.patience, keeping: 2 << 20)
        return report?.outcome == .exited(code: 0) ? report?.output : nil
    }

    /// Runs `body`, and `onceSeen` beside it as soon as the person has seen what it shows.
    private func whileSeen<Result: Sendable>(
        _ onceSeen: @escaping @Sendable () async -> Void, _ body: () async -> Result
    ) async -> Result {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                guard (try? await EventLoop.shared.sleep(for: Self.glance)) != nil else { return }
                await onceSeen()
            }
            let result = await body()
            group.cancelAll()
            return result
        }
    }

    private var directory: String {
        environment.value(of: "XDG_RUNTIME_DIR") ?? environment.value(of: "TMPDIR") ?? "/tmp"
    }
}

/// A text for a dialog, for its person's eyes only; gone with the value.
private final class DialogFile {
    let path: String

    init(_ text: String, in directory: String) throws {
        var template = Array((directory + "/cutied-XXXXXX").utf8CString)
        // Makes it 0600.
        let file = mkstemp(&template)
        guard file >= 0 else { throw CommandError(.failed, "cannot write in \(directory)") }
        close(file)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try SmallFile.replace(path, with: Array(text.utf8))
    }

    deinit { unlink(path) }
}
