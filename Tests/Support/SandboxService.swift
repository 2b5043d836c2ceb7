import Foundation

/// A real `cutie-sandbox service`. It trusts a sandbox about the identity of users, and stores its data only
/// in memory.
public final class SandboxService: Sendable {
    /// The origin, without a trailing slash.
    public let url: String
    private let program: SpawnedProgram

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - protocols: the protocols of the service; if empty, three protocols of Cuti-E.
    ///   - tokenLife: the lifetime of access tokens, in seconds.
    ///   - faults: the values of `--fault`.
    ///   - isAnnounced: whether to wait until the issuer knows the service. The issuer never accepts a
    ///     service with an invalid description.
    public init(
        issuer: SandboxFixture, name: String = "A service", protocols: [String] = [], tokenLife: Int = 3600,
        faults: [String] = [], isAnnounced: Bool = true
    ) async throws {
        let credentials = [
            "CUTIE_CLIENT_ID": "cutie_ci_tests", "CUTIE_CLIENT_SECRET": "cutie_cs_tests",
        ]
        // The state directory does not exist, so the program finds no credentials and reports their absence.
        let environment = ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": "/nonexistent"]
        let program = try SpawnedProgram(
            BuiltProduct.path(of: "cutie-sandbox"),
            ["service", "--port", "0", "--issuer", issuer.url, "--name", name]
                + ["--token-life", String(tokenLife), "--fault", faults.joined(separator: ",")]
                + protocols.flatMap { ["--protocol", $0] },
            environment: isAnnounced ? environment.merging(credentials) { $1 } : environment)
        let line = "listening on "
        try await eventually("a service that listens") {
            guard program.isRunning else { throw SandboxFailure(description: program.standardError) }
            return program.lines.first?.hasPrefix(line) == true
                && (!isAnnounced || program.lines.contains("announced to \(issuer.url)"))
        }
        (self.program, url) = (program, String(program.lines[0].dropFirst(line.count)))
    }

    /// The output on standard error.
    public var standardError: String { program.standardError }

    /// Stops the service cleanly and returns its exit code.
    @discardableResult
    public func stop() async throws -> Int32 {
        program.signal(SIGTERM)
        return try await program.exit()
    }

    /// Stops the process until `resume`: the process accepts connections but does not respond.
    public func hang() { program.signal(SIGSTOP) }
    public func resume() { program.signal(SIGCONT) }
}
