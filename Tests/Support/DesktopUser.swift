import Foundation
import Synchronization

/// A simulated user of a window. Uses the keyboard and, like a screen reader, the accessibility
/// interface. There is no window manager.
public final class DesktopUser: Sendable {
    private let screen: VirtualScreen
    private let directory: TemporaryDirectory
    private let launcher: AttachedProcess
    /// The PIDs of the accessibility bus. The launcher starts these processes but does not stop them.
    private let accessibilityBus: [Int32]
    /// The process that runs the script. It is replaced after a crash, because libatspi sometimes crashes on
    /// a busy machine.
    private let reader: Mutex<AttachedProcess>
    private let makeReader: @Sendable () async throws -> AttachedProcess

    /// A description of a widget: its AT-SPI role, such as `push button` (optional), and a part of its name,
    /// description or text.
    public struct Target: Sendable, Encodable {
        public var role: String?
        public var name: String
        /// The title of the window that contains the widget; `nil` for any window.
        public var frame: String?

        public init(role: String? = nil, name: String, frame: String? = nil) {
            (self.role, self.name, self.frame) = (role, name, frame)
        }

        public static func button(_ name: String) -> Target { Target(role: "push button", name: name) }
        public static func field(_ name: String) -> Target { Target(role: "text", name: name) }
        public static func anything(_ name: String) -> Target { Target(name: name) }
    }

    /// Starts a virtual screen and the script.
    ///
    /// - Parameter program: the program whose windows are inspected.
    public init(before program: String, on bus: PrivateBus) async throws {
        screen = try await VirtualScreen(on: bus)
        directory = try TemporaryDirectory()
        // A separate runtime directory is required, because the path of the accessibility bus depends on the
        // runtime directory. Otherwise, concurrent tests would share one accessibility bus.
        let environment = bus.environment.merging([
            "DISPLAY": screen.display, "HOME": directory.path, "XDG_RUNTIME_DIR": directory.path,
        ]) { $1 }
        launcher = try await AttachedProcess(
            ["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], environment: environment)
        try await bus.wait(for: "org.a11y.Bus", isThere: true)
        try await eventually("the accessibility bus") { [launcher] in !launcher.children.isEmpty }
        accessibilityBus = launcher.children
        let limit = String(defaultTimeLimit.components.seconds)
        makeReader = {
            let reader = try await AttachedProcess(
                ["/usr/bin/python3", "-c", Self.script, limit, program], environment: environment,
                listens: true)
            try await eventually("the screen reader is ready") { reader.lines.first == "ready" }
            return reader
        }
        reader = Mutex(try await makeReader())
    }

    deinit {
        for process in accessibilityBus { kill(process, SIGKILL) }
    }

    /// The environment of a program that shows its window on this screen.
    public var environment: [String: String] {
        [
            "DISPLAY": screen.display, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
            "G_DEBUG": "fatal-criticals",
        ]
    }

    /// Waits until the widget is shown.
    public func waitFor(_ target: Target) async throws { _ = try await performCommand("sees", target) }

    /// Waits until the widget contains text. Returns the text.
    public func readText(_ target: Target) async throws -> String {
        try await performCommand("reads", target)
    }

    /// Waits until the widget is no longer shown.
    public func waitForAbsence(_ target: Target) async throws {
        _ = try await performCommand("lacks", target)
    }

    public func count(_ target: Target) async throws -> Int {
        Int(try await performCommand("counts", target)) ?? 0
    }

    /// Waits until the widget can be clicked, and then clicks it.
    public func click(_ target: Target) async throws { _ = try await performCommand("clicks", target) }

    /// Waits until the widget accepts input, and then enters `text` through the accessibility interface.
    public func enterText(_ text: String, into target: Target) async throws {
        _ = try await performCommand("types", target, text: text)
    }

    /// Starts to record what a screen reader would speak.
    public func startListening() async throws { _ = try await performCommand("listens", .anything("")) }

    /// Waits until a screen reader would speak `text` as a part of the name of a focused widget or of a new
    /// description. Discards `text` and everything that was spoken before it.
    public func waitToHear(_ text: String) async throws {
        _ = try await performCommand("hears", .anything(text))
    }

    /// Focuses the widget and presses keys, such as `space Down Return`.
    public func press(_ keys: String, in target: Target) async throws {
        _ = try await performCommand("presses", target, text: keys)
    }

    /// Presses keys on the keyboard in the window with the title `window`. `keys` are key names of xdotool,
    /// such as `ctrl+Return`.
    public func pressKeys(_ keys: String..., in window: String) async throws {
        try await focus(window)
        _ = try await screen.run("xdotool", ["key", "--delay", "60"] + keys)
    }

    /// Presses keys in the window that was opened most recently.
    public func pressKeysInNewestWindow(_ keys: String...) async throws {
        // Window titles begin with a capital letter. Menus are also windows, but have the name of the
        // program.
        let found = try await screen.run("xdotool", ["search", "--onlyvisible", "--name", "^[A-Z]"])
        guard let newest = found.split(separator: "\n").compactMap({ Int($0) }).max() else { return }
        _ = try await screen.run("xdotool", ["windowfocus", String(newest)])
        _ = try await screen.run("xdotool", ["key", "--delay", "60"] + keys)
    }

    /// Types `text` on the keyboard in the window with the title `window`.
    public func typeText(_ text: String, in window: String) async throws {
        try await focus(window)
        _ = try await screen.run("xdotool", ["type", "--delay", "30", text])
    }

    /// Waits for a window with the title `window` and focuses it. Does not use the accessibility interface.
    public func waitFor(window: String) async throws { try await focus(window) }

    /// Focuses a window. The function sets the focus itself, because there is no window manager.
    private func focus(_ window: String) async throws {
        try await eventually("a window called \(window)") {
            let found = try await screen.run("xdotool", ["search", "--onlyvisible", "--name", "^\(window)"])
            guard let id = found.split(separator: "\n").last else { return false }
            _ = try await screen.run("xdotool", ["windowfocus", String(id)])
            return try await screen.run("xdotool", ["getwindowfocus"]).hasPrefix(id)
        }
    }

    /// Drags from the top left corner of the window `source` to the position `place` in the window `target`.
    public func drag(from source: String, to target: String, at place: (x: Int, y: Int)) async throws {
        func id(_ window: String) async throws -> String {
            let found = try await screen.run("xdotool", ["search", "--onlyvisible", "--name", "^\(window)"])
            return String(found.split(separator: "\n").last ?? "")
        }
        let (from, to) = (try await id(source), try await id(target))
        _ = try await screen.run("xdotool", ["mousemove", "--window", from, "40", "40", "mousedown", "1"])
        // GTK starts a drag only after several movements, and queries the target at each of them.
        for step in 1...5 {
            _ = try await screen.run(
                "xdotool", ["mousemove", "--window", from, String(40 + 8 * step), "40", "sleep", "0.1"])
        }
        for offset in [30, 15, 0] {
            _ = try await screen.run(
                "xdotool",
                ["mousemove", "--window", to, String(place.x), String(place.y - offset), "sleep", "0.2"])
        }
        _ = try await screen.run("xdotool", ["mouseup", "1"])
    }

    /// Changes the size of the window with the title `window`.
    public func resize(_ window: String, to size: (width: Int, height: Int)) async throws {
        try await focus(window)
        let id = try await screen.run("xdotool", ["getwindowfocus"]).filter(\.isNumber)
        _ = try await screen.run(
            "xdotool", ["windowsize", "--sync", id, String(size.width), String(size.height)])
    }

    public func screenshot(to file: String) async throws { try await screen.screenshot(to: file) }

    private struct Command: Encodable {
        let `do`: String
        let target: Target
        let text: String?
    }

    private struct Outcome: Decodable {
        let answer: String?
        let error: String?
    }

    private func performCommand(_ what: String, _ target: Target, text: String? = nil) async throws -> String
    {
        let order = Command(do: what, target: target, text: text)
        var line: String?
        for _ in 0..<3 where line == nil { line = try await send(order) }
        guard let line else { throw DesktopUserFailure(description: "nobody reads the screen for long") }
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(line.utf8))
        guard let answer = outcome.answer else { throw DesktopUserFailure(description: outcome.error ?? "") }
        return answer
    }

    /// Sends a command to the script. Returns `nil` if the script crashed and was restarted.
    private func send(_ order: Command) async throws -> String? {
        let reader = reader.withLock { $0 }
        let count = reader.lines.count
        if reader.isRunning { try reader.send(String(decoding: JSONEncoder().encode(order), as: UTF8.self)) }
        try await eventually("\(order.do) \(order.target.name)", within: defaultTimeLimit * 2) {
            reader.lines.count > count || !reader.isRunning
        }
        if reader.lines.count > count { return reader.lines[count] }
        let fresh = try await makeReader()
        self.reader.withLock { $0 = fresh }
        return nil
    }
}

/// The error thrown if a widget was not found. Its description contains the content of the screen.
public struct DesktopUserFailure: Error, CustomStringConvertible {
    public let description: String
}
