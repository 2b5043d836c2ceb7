import ControlAPI
import Platform

/// What becomes of a click on a pop-up.
struct OpeningFacts: Sendable {
    /// Whether a display is there; without one nothing was tried.
    var hasDisplay: Bool
    var trialStart: Launcher.TrialStart?
    /// `opener` of the config.
    var opener: [String]?
    /// The path of the program that is given the link: of `opener`, else of `xdg-open`. nil: not installed.
    var program: String?
    /// Who gets cutie:// links from the desktop.
    var handler: LinkHandler?
    /// What cutied shows a thread in where there is no window of its own; nil where there is nothing.
    var window: String?
    /// The window of its own.
    var inbox = Inbox.missing

    enum Inbox: Hashable, Sendable {
        case missing
        /// As it says itself.
        case version(String)
        /// It does not run: why.
        case broken(String)
    }
}

extension OpeningFacts {
    /// Starts something harmless as a click does, and looks with the environment that it had.
    init(trying environment: [String: String], opener: [String]?) async {
        hasDisplay = environment.hasDisplay
        self.opener = opener
        guard hasDisplay else { return }
        let trialStart = await Launcher(environment: environment).trialStart()
        self.trialStart = trialStart
        guard case .outlived(let given) = trialStart else { return }
        program = InstalledPrograms(environment: environment).path(of: opener?.first ?? "xdg-open")
        handler = LinkHandler.find(scheme: "cutie", environment: given)
        let dialogs = InstalledPrograms(environment: given).dialogs
        window = TerminalWindow.installed(in: given).first?.name ?? dialogs.first
        if let path = InstalledPrograms(environment: given).inbox {
            inbox = await Self.inbox(at: path, environment: given)
        }
    }

    /// Starts it for its version alone: then its libraries are there.
    private static func inbox(at path: String, environment: [String: String]) async -> Inbox {
        let report: Launcher.Report
        do {
            report = try await Launcher.run(
                [path, "--version"], environment: environment, within: .seconds(5), keeping: 4096)
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

    /// What pop-ups open is started by the user manager, which knows of a display what it was told.
    private var start: Check {
        let name = "openers"
        guard hasDisplay, let trialStart else { return Check(name, .skipped, "there is no display") }
        switch trialStart {
        case .outlived(let environment) where environment.hasDisplay:
            return Check(name, .ok, "tried: what pop-ups open finds the display and outlives its starter")
        case .outlived:
            return Check(
                name, .warning, "what pop-ups open finds no display: systemd --user was not told of it",
                advice: "type, and have your session do so when it starts: "
                    + "dbus-update-activation-environment --systemd DISPLAY WAYLAND_DISPLAY XAUTHORITY")
        case .ended:
            return Check(
                name, .failure, "what pop-ups open ends with its starter: a click opens nothing",
                advice: "set `opener` to a program that stays, and tell us which systemd you have")
        case .failed(let reason):
            return Check(
                name, .failure, "what pop-ups open cannot be started: \(reason)",
                advice: "see why: journalctl --user --since=-1min; systemd 250 or newer is needed")
        }
    }

    /// `cutied-inbox`, which need not be there.
    private var ownWindow: Check {
        let name = "window"
        guard hasDisplay else { return Check(name, .skipped, "there is no display") }
        guard case .outlived = trialStart else { return Check(name, .skipped, "nothing can be started") }
        switch inbox {
        case .missing:
            return Check(
                name, .skipped, "cutied-inbox is not installed: conversations open in a terminal")
        case .version(Product.version):
            return Check(name, .ok, "cutied-inbox shows conversations")
        case .version(let other):
            return Check(
                name, .warning, "cutied-inbox is of version \(other), and cutied of \(Product.version)",
                advice: "install both in one version")
        case .broken(let reason):
            return Check(
                name, .warning, "cutied-inbox does not start: \(reason)",
                advice: "install it anew; until then conversations open in a terminal")
        }
    }

    private var links: Check {
        let name = "links"
        guard hasDisplay else { return Check(name, .skipped, "there is no display") }
        guard case .outlived = trialStart else { return Check(name, .skipped, "nothing can be started") }
        guard program != nil || opener == nil && showsWindow else {
            let missing = opener?.first ?? "xdg-open"
            return Check(
                name, .failure, "\(missing) is not installed: a click opens nothing",
                advice: opener == nil ? "install xdg-utils, or set `opener`" : "correct `opener`")
        }
        if let opener { return Check(name, .ok, "`opener` of the config: " + opener.joined(separator: " ")) }
        guard let handler else {
            return Check(
                name, .failure, "no program is there for cutie:// links: a click opens nothing",
                advice:
                    "install cutied anew, or type: update-desktop-database in the directory of its .desktop file"
            )
        }
        return answer(of: handler)
    }

    private var showsWindow: Bool {
        if case .version = inbox { true } else { false }
    }

    private func answer(of handler: LinkHandler) -> Check {
        let who = "\(handler.name) (\(handler.id)) answers cutie:// links"
        guard Product.isOwn(desktopFile: handler.id) else { return Check("links", .ok, who) }
        if showsWindow { return Check("links", .ok, who + ", in cutied-inbox") }
        guard let window else {
            return Check(
                "links", .failure, who + ", but has no terminal to show them in",
                advice: "install a terminal, or zenity or kdialog")
        }
        return Check("links", .ok, "\(who), in \(window)")
    }
}
