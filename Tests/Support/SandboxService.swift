import Foundation

/// A real `cutie-sandbox service`, which takes the word of a sandbox for who a person is and forgets all at its end.
public final class SandboxService: Sendable {
    /// Its origin, without a slash at the end.
    public let url: String
    private let program: SpawnedProgram

    /// Without `protocols` it speaks three of Cuti-E's. `faults`: what `--fault` takes. `tokenLife`: of access
    /// tokens, in seconds. `isAnnounced`: it waits until the issuer knows of it, which of one with a spoilt
    /// description never does.
    public init(
        issuer: SandboxFixture, name: String = "A service", protocols: [String] = [], tokenLife: Int = 3600,
        faults: [String] = [], isAnnounced: Bool = true
    ) async throws {
        let credentials = [
            "CUTIE_CLIENT_ID": "cutie_ci_tests", "CUTIE_CLIENT_SECRET": "cutie_cs_tests",
        ]
        // Nobody's state directory: without credentials it finds none, and says so.
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

    /// What it said besides.
    public var standardError: String { program.standardError }

    /// It ends properly. Returns its exit code.
    @discardableResult
    public func stop() async throws -> Int32 {
        program.signal(SIGTERM)
        return try await program.exit()
    }

    /// It takes connections and answers nothing, until `resume`.
    public func hang() { program.signal(SIGSTOP) }
    public func resume() { program.signal(SIGCONT) }
}
