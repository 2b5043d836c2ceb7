import ControlAPI
package import ControlClient
import CutieAPI
import Glibc
import Localization
import NotificationPolicy
import Platform
import Runtime
import Tray

/// The program of the status icon. Follows the daemon's log, and has no stored state and no periodic timer.
package final class TrayIndicator {
    private let daemon: DaemonClient
    private let environment: [String: String]
    private let tray: TrayIcon
    private let signals: SignalQueue
    private var shown: TrayContent?
    /// Whether a tray or a launcher has ever been present.
    private var hasHost = false

    package init(daemon: DaemonClient, environment: [String: String]) throws {
        (self.daemon, self.environment) = (daemon, environment)
        // Open the signal descriptor before the thread of the tray starts: the thread would otherwise receive
        // the signals.
        signals = try SignalQueue([SIGINT, SIGTERM])
        tray = TrayIcon(desktopEntry: "io.cutied.Inbox", title: Product.title)
    }

    /// The maximum time to wait for a tray or a launcher at startup, because a session starts its
    /// components concurrently.
    private static let startLimit: Duration = .seconds(30)

    /// Shows the icon until the user quits, the session ends, a signal arrives, or neither a tray nor a
    /// launcher has appeared in time.
    package func run() async throws {
        do { try await showUntilDaemonEnds() } catch {
            await tray.clearLauncherCount()
            throw error
        }
        await tray.clearLauncherCount()
    }

    private func showUntilDaemonEnds() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [signals] in
                _ = try await signals.waitForNext()
                return true
            }
            group.addTask {
                await self.handleEvents()
                return true
            }
            group.addTask { try await self.isHostMissingAfterTimeout() }
            group.addTask {
                try await self.followStatus()
                return true
            }
            for try await isOver in group where isOver { break }
            group.cancelAll()
        }
    }

    /// Waits for `startLimit`. Returns `true` if no tray and no launcher has appeared.
    private func isHostMissingAfterTimeout() async throws -> Bool {
        try await EventLoop.shared.sleep(for: Self.startLimit)
        return !hasHost
    }

    private func handleEvents() async {
        for await event in tray.events {
            switch event {
            case .activated(let token): await showInbox(arguments: [], activationToken: token)
            case .chosen(let text):
                guard let command = IndicatorCommand(text: text) else { continue }
                if command == .quit { return }
                await perform(command)
            case .hosts(let hasTray, let hasLauncher): hasHost = hasHost || hasTray || hasLauncher
            case .disconnected: return
            }
        }
    }
}

// MARK: - The daemon

extension TrayIndicator {
    /// Updates the icon after each log entry, and continues after restarts of the daemon. Entries that arrive
    /// during an update are coalesced.
    private func followStatus() async throws {
        let (changes, signal) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { [daemon] in
                defer { signal.finish() }
                try await daemon.watch { update in
                    if case .entry = update { signal.yield(true) } else { signal.yield(false) }
                    return .proceed
                }
            }
            for await isRunning in changes {
                await updateIcon(isDaemonRunning: isRunning)
                try await EventLoop.shared.sleep(for: .milliseconds(50))
            }
        }
    }

    private func updateIcon(isDaemonRunning: Bool) async {
        var state = IndicatorContent(status: nil)
        if isDaemonRunning, let status = try? await daemon.withoutRetries.call(GetStatus()).reply {
            state.status = status
            if status.badge.total ?? 0 > 0 {
                let list = ListConversations(unread: true, limit: IndicatorContent.maxConversations * 2)
                state.conversations =
                    (try? await daemon.withoutRetries.call(list).reply.conversations) ?? []
            }
        }
        let content = state.content
        guard content != shown else { return }
        tray.show(content, replacing: shown)
        shown = content
    }
}

// MARK: - Commands

extension TrayIndicator {
    private func perform(_ command: IndicatorCommand) async {
        switch command {
        case .openInbox: await showInbox(arguments: [])
        case .newFeedback: await showInbox(arguments: ["--compose"])
        case .open(let link): await showInbox(arguments: [link.text])
        case .markAllRead: await sendCall(MarkRead())
        case .pauseForHour: await sendCall(Pause(seconds: 3600))
        case .pauseUntilTomorrow:
            let now = Timestamp(milliseconds: SystemClock.milliseconds)
            let end = LocalZone.current.nextMorning(after: now)
            await sendCall(Pause(seconds: max(1, Int((end.milliseconds - now.milliseconds) / 1000))))
        case .resume: await sendCall(Resume())
        case .quit: break
        }
    }

    /// Calls the daemon. The icon is updated by the event stream (`Watch`), not by the reply. A failure is
    /// only logged.
    private func sendCall(_ method: some ControlMethod) async {
        do { _ = try await daemon.call(method) } catch { reportProblem("the daemon did not do it: \(error)") }
    }

    private func showInbox(arguments: [String], activationToken: String? = nil) async {
        guard let inbox = InstalledPrograms(environment: environment).inbox else {
            return reportProblem("cutied-inbox is not installed")
        }
        let names = ["CUTIED_SOCKET", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]
        var additions = environment.filter { names.contains($0.key) && !$0.value.isEmpty }
        if let activationToken {
            (additions["XDG_ACTIVATION_TOKEN"], additions["DESKTOP_STARTUP_ID"]) = (
                activationToken, activationToken
            )
        }
        do {
            let outcome = try await Launcher(environment: environment).launch(
                [inbox] + arguments, addingVariables: additions, output: .inherited)
            if !outcome.isSuccess { reportProblem("the window did not start: it \(outcome)") }
        } catch { reportProblem("the window did not start: \(error)") }
    }

    /// Writes a line to standard error, which is the journal if a unit runs the program.
    private func reportProblem(_ message: String) {
        let line = Array("cutied-indicator: \(TerminalText.singleLine(message))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
