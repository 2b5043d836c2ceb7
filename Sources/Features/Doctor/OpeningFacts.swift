import Platform

/// The facts about the programs that a click on a notification opens.
struct OpeningFacts: Sendable {
    /// Whether there is a display. Without a display, nothing was tested.
    var hasDisplay: Bool
    var trialStart: Launcher.DetachedStartResult?
    /// The `opener` of the configuration; `nil` if it is not set.
    var opener: [String]?
    /// The path of the program that opens links: `opener`, otherwise `xdg-open`; `nil` if it is not
    /// installed.
    var program: String?
    /// The desktop's handler for `cutie://` links; `nil` if there is none.
    var handler: LinkHandler?
    /// The program that shows conversations if `cutied-inbox` is missing, such as a terminal; `nil` if there
    /// is no such program.
    var window: String?
    /// The state of `cutied-inbox`.
    var inbox = Inbox.missing

    enum Inbox: Hashable, Sendable {
        case missing
        /// The version that the program reports.
        case version(String)
        /// The program cannot be started, for the given reason.
        case broken(String)
    }
}

extension OpeningFacts {
    /// Starts a harmless program in the same way as a click, and reads the environment that the program
    /// received.
    init(trying environment: [String: String], opener: [String]?) async {
        hasDisplay = environment.hasDisplay
        self.opener = opener
        guard hasDisplay else { return }
        let trialStart = await Launcher(environment: environment).testDetachedStart()
        self.trialStart = trialStart
        guard case .outlived(let given) = trialStart else { return }
        program = InstalledPrograms(environment: environment).path(ofProgram: opener?.first ?? "xdg-open")
        handler = LinkHandler.find(forScheme: "cutie", environment: given)
        let dialogs = InstalledPrograms(environment: given).dialogs
        window = TerminalEmulator.findInstalled(in: given).first?.name ?? dialogs.first
        if let path = InstalledPrograms(environment: given).inbox {
            inbox = await Self.probeInbox(at: path, environment: given)
        }
    }

    /// Starts the program with `--version`, which fails if a library is missing.
    private static func probeInbox(at path: String, environment: [String: String]) async -> Inbox {
        let report: Launcher.Report
        do {
            report = try await Launcher.run(
                [path, "--version"], environment: environment, within: .seconds(5), outputLimit: 4096)
        } catch { return .broken("\(error)") }
        let line = report.output.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard report.outcome.isSuccess, let version = line.split(separator: " ").last else {
            return .broken(line.isEmpty ? "it \(report.outcome)" : line)
        }
        return .version(String(version))
    }
}

extension OpeningFacts {
    var checks: [Check] { [start, ownWindow, links] }

    /// The check that a click on a notification can open programs. The user manager starts these programs,
    /// with only the display variables that the session passed to the user manager.
    private var start: Check {
        let name = "openers"
        guard hasDisplay, let trialStart else { return Check(name, .skipped, "there is no display") }
        switch trialStart {
        case .outlived(let environment) where environment.hasDisplay:
            return Check(
                name, .ok, "tested: programs opened from notifications find the display and keep running")
        case .outlived:
            return Check(
                name, .warning,
                "programs opened from notifications find no display: systemd --user does not know it",
                advice: "run this command, also at each start of your session: "
                    + "dbus-update-activation-environment --systemd DISPLAY WAYLAND_DISPLAY XAUTHORITY")
        case .ended:
            return Check(
                name, .failure,
                "programs opened from notifications end with their starter: a click opens nothing",
                advice: "set `opener` to a program that keeps running, and report your systemd version to us")
        case .failed(let reason):
            return Check(
                name, .failure, "programs opened from notifications cannot be started: \(reason)",
                advice: "see journalctl --user --since=-1min; systemd 250 or newer is needed")
        }
    }

    /// The check of the optional program `cutied-inbox`.
    private var ownWindow: Check {
        let name = "window"
        guard hasDisplay else { return Check(name, .skipped, "there is no display") }
        guard case .outlived = trialStart else {
            return Check(name, .skipped, "unknown (no program can be started)")
        }
        switch inbox {
        case .missing:
            return Check(
                name, .skipped, "cutied-inbox is not installed; conversations open in a terminal")
        case .version(Product.version):
            return Check(name, .ok, "conversations open in cutied-inbox")
        case .version(let other):
            return Check(
                name, .warning, "cutied-inbox has version \(other), but cutied has \(Product.version)",
                advice: "install the same version of both")
        case .broken(let reason):
            return Check(
                name, .warning, "cutied-inbox does not start: \(reason)",
                advice: "reinstall it; until then, conversations open in a terminal")
        }
    }

    private var links: Check {
        let name = "links"
        guard hasDisplay else { return Check(name, .skipped, "there is no display") }
        guard case .outlived = trialStart else {
            return Check(name, .skipped, "unknown (no program can be started)")
        }
        guard program != nil || opener == nil && showsWindow else {
            let missing = opener?.first ?? "xdg-open"
            return Check(
                name, .failure, "\(missing) is not installed: a click opens nothing",
                advice: opener == nil ? "install xdg-utils, or set `opener`" : "correct `opener`")
        }
        if let opener { return Check(name, .ok, "`opener` of the config: " + opener.joined(separator: " ")) }
        guard let handler else {
            return Check(
                name, .failure, "no program for cutie:// links is installed: a click opens nothing",
                advice:
                    "reinstall cutied, or run update-desktop-database in the directory of its .desktop file"
            )
        }
        return makeHandlerCheck(for: handler)
    }

    private var showsWindow: Bool {
        if case .version = inbox { true } else { false }
    }

    private func makeHandlerCheck(for handler: LinkHandler) -> Check {
        let who = "\(handler.name) (\(handler.id)) opens cutie:// links"
        guard Product.includes(desktopFile: handler.id) else { return Check("links", .ok, who) }
        if showsWindow { return Check("links", .ok, who + ", in cutied-inbox") }
        guard let window else {
            return Check(
                "links", .failure, who + ", but has no terminal to show them in",
                advice: "install a terminal, or zenity or kdialog")
        }
        return Check("links", .ok, "\(who), in \(window)")
    }
}
