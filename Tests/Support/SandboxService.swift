import Foundation

/// A real `cutie-sandbox service`. Its issuer is a sandbox, and its data is stored only in memory.
public final class SandboxService: Sendable {
    /// The origin of the service, without a trailing slash.
    public let url: String
    private let program: SpawnedProgram

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - protocols: the protocols of the service; three protocols of Cuti-E if empty.
    ///   - tokenLife: the lifetime of access tokens, in seconds.
    ///   - faults: the values of the option `--fault`.
    ///   - isAnnounced: whether to wait until the service is announced. A service with an invalid description
    ///     is never announced.
    public init(
        issuer: SandboxFixture, name: String = "A service", protocols: [String] = [], tokenLife: Int = 3600,
        faults: [String] = [], isAnnounced: Bool = true
    ) async throws {
        let credentials = [
            "CUTIE_CLIENT_ID": "cutie_ci_tests", "CUTIE_CLIENT_SECRET": "cutie_cs_tests",
        ]
        // The state directory does not exist. Therefore, the program finds no credentials, and prints a
        // warning.
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

    public var standardError: String { program.standardError }

    /// Stops the service with SIGTERM. Returns its exit code.
    @discardableResult
    public func stop() async throws -> Int32 {
        program.signal(SIGTERM)
        return try await program.waitForExit()
    }

    /// Suspends the process until `resume()`: the kernel accepts connections, but the service does not
    /// respond.
    public func suspend() async throws { try await program.suspend() }
    public func resume() { program.resume() }
}
