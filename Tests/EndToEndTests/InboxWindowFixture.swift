import Foundation
import TestSupport
import Testing

/// Runs `body` with a fixture, an open window and a simulated desktop user.
///
/// - Parameters:
///   - configuration: returns the complete configuration; `nil` for one account on the sandbox. The line
///     `OPENER` is replaced by the setting that makes a click open the window.
///   - isConnected: whether to wait until all accounts are connected before running `body`.
///   - closes: whether `body` may close the window.
func withInboxWindow(
    asksQuestions: Bool = false, configuration: ((EndToEndFixture) -> String)? = nil,
    isConnected: Bool = true,
    closes: Bool = false,
    _ body: (EndToEndFixture, DesktopUser, SpawnedProgram) async throws -> Void
) async throws {
    try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
        let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
        let start = try user.environment.map { "\($0)=\($1)" } + [BuiltProduct.path(of: "cutied-inbox")]
        let opener = (["/usr/bin/env"] + start).joined(separator: ", ")
        let text =
            configuration?(fixture)
            ?? "app_id: \(fixture.sandbox.appID)\napi_url: \(fixture.sandbox.url)\nOPENER\n"
        try fixture.daemon.configure(
            text.replacing("OPENER", with: "opener: [\(opener)]") + "questions: \(asksQuestions)\n")
        try await fixture.daemon.start()
        if isConnected { try await fixture.daemon.waitUntilConnected() }
        let window = try fixture.showWindow(nil, user)
        // Waits for the window, because a second instance can activate this process only after this process
        // has registered on the bus.
        try await user.waitFor(.frame("Cuti-E"))
        // The window opens the newest conversation of the first list, so wait until the empty list is loaded.
        if isConnected, configuration == nil { try await user.waitFor(.button("Write Feedback")) }
        try await body(fixture, user, window)
        #expect(closes || window.isRunning, "\(window.standardError)")
        window.signal(SIGTERM)
        try await window.waitForExit()
    }
}

extension DesktopUser.Target {
    static func frame(_ name: String) -> DesktopUser.Target { Self(role: "frame", name: name) }
    /// The row of a message in a thread, or of a conversation in the list.
    static func row(_ name: String) -> DesktopUser.Target { Self(role: "list item", name: name) }
    static func menuItem(_ name: String) -> DesktopUser.Target { Self(role: "menu item", name: name) }
}

extension DesktopUser {
    /// Opens a page from the main menu, or from a submenu of the main menu.
    func openPage(_ page: String, in submenu: String? = nil) async throws {
        try await click(.button("Main Menu Main Menu"))
        if let submenu { try await click(.menuItem(submenu)) }
        try await click(.menuItem(page))
        try await waitFor(.frame(page))
    }
}

extension EndToEndFixture {
    func showWindow(_ conversation: String?, _ user: DesktopUser) throws -> SpawnedProgram {
        try startWindow(conversation.map { [$0] } ?? [], user)
    }

    /// Starts the window program with arguments and additional environment variables.
    func startWindow(
        _ arguments: [String], _ user: DesktopUser, _ changes: [String: String] = [:]
    ) throws -> SpawnedProgram {
        try SpawnedProgram(
            BuiltProduct.path(of: "cutied-inbox"), arguments,
            environment: daemon.environment.merging(user.environment) { $1 }.merging(changes) { $1 })
    }

    /// Saves a screenshot in the directory `CUTIED_PICTURES`; does nothing if the variable is not set.
    func saveScreenshot(of user: DesktopUser, _ name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["CUTIED_PICTURES"] else { return }
        try await user.screenshot(to: "\(directory)/\(name).png")
    }
}

extension DesktopUser.Target {
    static func comboBox(_ name: String) -> DesktopUser.Target { Self(role: "combo box", name: name) }
    static func button(_ name: String, in frame: String) -> DesktopUser.Target {
        Self(role: "push button", name: name, frame: frame)
    }
    static func row(_ name: String, in frame: String) -> DesktopUser.Target {
        Self(role: "list item", name: name, frame: frame)
    }
    static func anything(_ name: String, in frame: String) -> DesktopUser.Target {
        Self(name: name, frame: frame)
    }
}
