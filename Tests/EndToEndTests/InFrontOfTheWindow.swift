import Foundation
import TestSupport
import Testing

/// Creates a household with an open window and a simulated user in front of it.
///
/// - Parameters:
///   - configuration: returns the complete configuration, in which `OPENER` stands for the line that makes a
///     click open the window; `nil` for one account on the sandbox.
///   - isConnected: whether `body` starts after all accounts are connected.
///   - closes: whether `body` may close the window.
func inFrontOfTheWindow(
    asksQuestions: Bool = false, configuration: ((Household) -> String)? = nil, isConnected: Bool = true,
    closes: Bool = false,
    _ body: (Household, Person, SpawnedProgram) async throws -> Void
) async throws {
    try await Household.with({ $0.isConnected = false }) { home in
        let person = try await Person(before: "cutied-inbox", on: home.bus)
        let start = try person.environment.map { "\($0)=\($1)" } + [BuiltProduct.path(of: "cutied-inbox")]
        let opener = (["/usr/bin/env"] + start).joined(separator: ", ")
        let text =
            configuration?(home) ?? "app_id: \(home.sandbox.appID)\napi_url: \(home.sandbox.url)\nOPENER\n"
        try home.daemon.configure(
            text.replacing("OPENER", with: "opener: [\(opener)]") + "questions: \(asksQuestions)\n")
        try await home.daemon.start()
        if isConnected { try await home.daemon.connected() }
        let window = try home.showWindow(nil, person)
        // A second start hands over to this one only after it has registered on the bus.
        try await person.sees(.frame("Cuti-E"))
        try await body(home, person, window)
        #expect(closes || window.isRunning, "\(window.standardError)")
        window.signal(SIGTERM)
        try await window.exit()
    }
}

extension Person.Target {
    static func frame(_ name: String) -> Person.Target { Self(role: "frame", name: name) }
    /// A message of a conversation, or a conversation in the list.
    static func row(_ name: String) -> Person.Target { Self(role: "list item", name: name) }
    static func menuItem(_ name: String) -> Person.Target { Self(role: "menu item", name: name) }
}

extension Person {
    /// Opens a page from the menu, or from its submenu.
    func opens(_ page: String, in submenu: String? = nil) async throws {
        try await clicks(.button("Main Menu Main Menu"))
        if let submenu { try await clicks(.menuItem(submenu)) }
        try await clicks(.menuItem(page))
        try await sees(.frame(page))
    }
}

extension Household {
    func showWindow(_ conversation: String?, _ person: Person) throws -> SpawnedProgram {
        try startWindow(conversation.map { [$0] } ?? [], person)
    }

    /// Starts the window with arguments and additional environment variables.
    func startWindow(
        _ arguments: [String], _ person: Person, _ changes: [String: String] = [:]
    ) throws -> SpawnedProgram {
        try SpawnedProgram(
            BuiltProduct.path(of: "cutied-inbox"), arguments,
            environment: daemon.environment.merging(person.environment) { $1 }.merging(changes) { $1 })
    }

    /// Saves a screenshot in the directory `CUTIED_PICTURES`; does nothing if the variable is not set.
    func keepPicture(of person: Person, _ name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["CUTIED_PICTURES"] else { return }
        try await person.screenshot(to: "\(directory)/\(name).png")
    }
}

extension Person.Target {
    static func comboBox(_ name: String) -> Person.Target { Self(role: "combo box", name: name) }
    static func button(_ name: String, in frame: String) -> Person.Target {
        Self(role: "push button", name: name, frame: frame)
    }
    static func row(_ name: String, in frame: String) -> Person.Target {
        Self(role: "list item", name: name, frame: frame)
    }
    static func anything(_ name: String, in frame: String) -> Person.Target {
        Self(name: name, frame: frame)
    }
}
