import Foundation

/// An X server that draws into memory (Xvfb).
public final class VirtualScreen: Sendable {
    /// The value of `DISPLAY`.
    public let display: String
    private let environment: [String: String]
    private let screen: AttachedProcess

    public init(on bus: PrivateBus) async throws {
        screen = try await AttachedProcess(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x640x24", "-nolisten", "tcp", "-noreset"],
            environment: bus.environment)
        try await eventually("the display number is printed") { [screen] in !screen.lines.isEmpty }
        display = ":" + screen.lines[0]
        environment = bus.environment.merging(["DISPLAY": display]) { $1 }
    }

    /// Writes a screenshot of the complete screen to a PNG file.
    public func screenshot(to file: String) async throws {
        _ = try await run("import", ["-window", "root", "png:" + file])
    }

    /// Runs `program` on the screen and returns its output.
    func run(_ program: String, _ arguments: [String]) async throws -> String {
        try await AttachedProcess.output(of: [program] + arguments, environment: environment)
    }
}
