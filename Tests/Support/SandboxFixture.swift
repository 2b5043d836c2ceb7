import Foundation
import Synchronization

/// A real `cutie-sandbox` with a database file. It can be restarted on the same port.
public final class SandboxFixture: Sendable {
    public let appID: String
    private let features: [String]
    private let environment: [String: String]
    private let database: String
    private let directory: TemporaryDirectory
    private let process = Mutex<SpawnedProgram?>(nil)
    private let place = Mutex<UInt16>(0)
    private let token = Mutex<String?>(nil)

    /// Creates a sandbox.
    ///
    /// - Parameters:
    ///   - without: the disabled features, such as `stream` and `long-poll`.
    ///   - tokenLifetime: the lifetime of access tokens, in seconds.
    public convenience init(
        without: [String] = [], appID: String = "app_sandbox", heartbeat: Double = 25,
        tokenLifetime: Int? = nil, environment: [String: String] = [:]
    ) async throws {
        let directory = try TemporaryDirectory()
        let lifetime = tokenLifetime.map { ["--access-token-lifetime", String($0)] } ?? []
        self.init(
            appID: appID, database: directory.file("sandbox.db"), directory: directory,
            features: ["--without", without.joined(separator: ","), "--heartbeat", String(heartbeat)]
                + lifetime, environment: environment)
        try await start()
    }

    private init(
        appID: String, database: String, directory: TemporaryDirectory, features: [String],
        environment: [String: String]
    ) {
        (self.appID, self.database, self.directory) = (appID, database, directory)
        (self.features, self.environment) = (features, environment)
    }

    public var port: UInt16 { place.withLock { $0 } }
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the sandbox. Each start after the first start uses the same port.
    public func start() async throws {
        let options = [
            "serve", "--port", String(port), "--database", database, "--app-id", appID,
            "--client-id", "cutie_ci_tests", "--client-secret", "cutie_cs_tests",
        ]
        let program = try SpawnedProgram(
            BuiltProduct.path(of: "cutie-sandbox"), options + features,
            environment: environment.merging([
                "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": directory.path,
            ]) { $1 })
        let line = "listening on http://127.0.0.1:"
        try await eventually("a sandbox that listens") {
            guard program.isRunning else { throw SandboxFailure(description: program.standardError) }
            return program.lines.first?.hasPrefix(line) == true
        }
        place.withLock { $0 = UInt16(program.lines[0].dropFirst(line.count)) ?? 0 }
        process.withLock { $0 = program }
    }

    /// Stops the sandbox gracefully with SIGTERM, so that open streams end normally. Returns the exit code.
    @discardableResult
    public func stop() async throws -> Int32 { try await end(by: SIGTERM) }

    /// Kills the sandbox to simulate a crash.
    public func killProcess() async throws { try await end(by: SIGKILL) }

    /// Suspends the process until `resume()`: the kernel accepts connections, but the sandbox does not
    /// respond.
    public func suspend() async throws { try await process.withLock { $0 }?.suspend() }
    /// Returns whether the sandbox has received a request that it has not read.
    public func hasUnreadRequest() throws -> Bool {
        let place = ":" + String(port, radix: 16, uppercase: true)
        // `String(contentsOfFile:)` would return only the beginning, because the reported size of the file is
        // 0.
        let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
        return String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst().contains { line in
            let fields = line.split(separator: " ")
            // Checks established connections (state 01) for a receive queue that is not empty.
            return fields[1].hasSuffix(place) && fields[3] == "01" && !fields[4].hasSuffix(":00000000")
        }
    }

    public func resume() { process.withLock { $0 }?.resume() }

    /// The number of bytes that the kernel has received for the sandbox and that the sandbox has not read.
    public var unreadBytes: Int {
        get throws {
            // `String(contentsOfFile:)` would return only the beginning, because the reported size of the file is
            // 0.
            let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd() ?? Data()
            let sockets = String(decoding: table, as: UTF8.self).split(separator: "\n")
            let address = "0100007F:" + String(format: "%04X", port)
            return sockets.reduce(into: 0) { sum, socket in
                // The fields are the number, the local address, the remote address, the state (0A for
                // listening), and the hexadecimal sizes of the send and receive queues.
                let fields = socket.split(separator: " ")
                guard fields.count > 4, fields[1] == address, fields[3] != "0A" else { return }
                sum += Int(fields[4].suffix(8), radix: 16) ?? 0
            }
        }
    }

    @discardableResult
    private func end(by signal: Int32) async throws -> Int32 {
        guard let program = process.withLock({ $0.take() }) else { return 0 }
        program.signal(signal)
        // Resume a suspended sandbox only after the signal, because it could otherwise respond before SIGKILL.
        program.resume()
        return try await program.waitForExit()
    }

    /// Stops the sandbox and runs `body` with a second sandbox that serves the same database at another
    /// address. Meanwhile, the original address is unreachable.
    public func whileUnreachable(_ body: (SandboxFixture) async throws -> Void) async throws {
        try await stop()
        let elsewhere = SandboxFixture(
            appID: appID, database: database, directory: directory, features: features,
            environment: environment)
        try await elsewhere.start()
        try await body(elsewhere)
        try await elsewhere.stop()
        try await start()
    }

    /// Returns an access token with the permissions of support. The sandbox stores the token in its
    /// database, so the token survives a restart.
    func fetchAdminToken() async throws -> String {
        if let known = token.withLock({ $0 }) { return known }
        struct Grant: Decodable { let access_token: String }
        let grant: Grant = try await exchange(
            "POST", "/v1/auth/oauth/token", [:],
            [
                "grant_type": "client_credentials", "client_id": "cutie_ci_tests",
                "client_secret": "cutie_cs_tests",
            ])
        token.withLock { $0 = grant.access_token }
        return grant.access_token
    }
}

/// The error thrown if the sandbox does not behave as a test requires.
public struct SandboxFailure: Error, CustomStringConvertible {
    public let description: String
}
