import Foundation
import Synchronization

/// A virtual screen with the notification server dunst. Tests can take screenshots of notifications and click
/// notifications.
public final class VirtualDesktop: Sendable {
    private let bus: PrivateBus
    private let directory: TemporaryDirectory
    private let screen: VirtualScreen
    private let dunst: Mutex<AttachedProcess>

    public init(on bus: PrivateBus) async throws {
        self.bus = bus
        directory = try TemporaryDirectory()
        screen = try await VirtualScreen(on: bus)
        let configuration = directory.file("dunstrc")
        try Self.configuration.write(toFile: configuration, atomically: true, encoding: .utf8)
        dunst = Mutex(try await Self.startDunst(configuration, on: bus, screen.display))
    }

    /// The value of `DISPLAY`.
    public var display: String { screen.display }

    /// Kills dunst to simulate a crash. All its notifications are lost.
    public func killServer() async throws {
        try await dunst.withLock { $0 }.killProcess()
        try await bus.waitForNotificationServer(isThere: false)
    }

    public func restartServer() async throws {
        let fresh = try await Self.startDunst(directory.file("dunstrc"), on: bus, display)
        dunst.withLock { $0 = fresh }
    }

    /// Returns whether dunst displays a notification.
    public func showsNotification() async throws -> Bool { try await notificationWindow() != nil }

    public func screenshot(to file: String) async throws { try await screen.screenshot(to: file) }

    /// Clicks the middle of dunst's window with the left mouse button.
    public func clickNotification() async throws {
        var window: String?
        try await eventually("a notification to click") {
            window = try await notificationWindow()
            return window != nil
        }
        _ = try await screen.run(
            "xdotool",
            ["mousemove", "--window", window ?? "", "60", "20", "click", "1"])
    }

    /// Shows the most recently closed notification again, as dunst's keyboard shortcut does.
    public func showLastFromHistory() async throws { _ = try await screen.run("dunstctl", ["history-pop"]) }

    /// Invokes the default action of the newest notification, as a keyboard shortcut does.
    public func invokeDefaultAction() async throws { _ = try await screen.run("dunstctl", ["action"]) }

    private static func startDunst(
        _ configuration: String, on bus: PrivateBus, _ display: String
    ) async throws -> AttachedProcess {
        let dunst = try await AttachedProcess(
            ["dunst", "-conf", configuration],
            environment: bus.environment.merging(["DISPLAY": display]) { $1 })
        try await bus.waitForNotificationServer()
        return dunst
    }

    private func notificationWindow() async throws -> String? {
        let found = try await screen.run("xdotool", ["search", "--onlyvisible", "--class", "Dunst"])
        return found.split(separator: "\n").first.map(String.init)
    }

    private static let configuration = """
        [global]
            font = DejaVu Sans 11
            markup = full
            format = "<b>%s</b>\\n%b"
            width = 420
            height = 300
            origin = top-right
            offset = 24x24
            padding = 14
            horizontal_padding = 16
            text_icon_padding = 14
            frame_width = 1
            frame_color = "#4c566a"
            separator_color = frame
            corner_radius = 8
            line_height = 3
            word_wrap = yes
            ellipsize = end
            show_indicators = no
            icon_position = left
            min_icon_size = 48
            max_icon_size = 48
            mouse_left_click = do_action, close_current
            mouse_right_click = close_current
        [urgency_low]
            background = "#2e3440"
            foreground = "#d8dee9"
            timeout = 0
        [urgency_normal]
            background = "#2e3440"
            foreground = "#eceff4"
            timeout = 0
        [urgency_critical]
            background = "#3b2a30"
            foreground = "#eceff4"
            frame_color = "#bf616a"
            timeout = 0
        """
}
