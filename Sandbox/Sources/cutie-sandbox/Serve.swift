import ArgumentParser
import Foundation
import Glibc
import Sandbox

/// The `serve` subcommand.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the API until SIGTERM or SIGINT.",
        discussion: """
            Prints `listening on URL` to standard output when connections are accepted, then the admin's \
            `client_id` and `client_secret`. They are also written to a file that only its owner can read, for \
            `cutie-sandbox reply`.
            """)

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 selects a free port, which is printed.")
    var port: UInt16 = 8787

    @Option(help: "Database file, or :memory: to store nothing.")
    var database = ":memory:"

    @Option(name: .customLong("tls-certificate"), help: "PEM certificate chain; serves https.")
    var certificate: String?

    @Option(name: .customLong("tls-key"), help: "PEM private key of the certificate.")
    var key: String?

    @Option(name: .customLong("app-id"), help: "An App ID to accept; may be repeated.")
    var appIDs = ["app_sandbox"]

    @Flag(help: "Refuse changes from attested devices without an X-App-Assertion.")
    var requireAssertions = false

    @Option(
        help: ArgumentHelp(
            "Behave like a server that lacks these: \(FeatureList.names).", valueName: "list"))
    var without = FeatureList()

    @Option(
        help: "Seconds between heartbeats of an event stream, at least 0.05; the API contract requires 25.")
    var heartbeat = 25.0

    @Option(help: "Lifetime of access tokens in seconds, at least 1.")
    var accessTokenLifetime = 3600

    @Option(help: "Signature algorithm of ID tokens: RS256 or ES256.", transform: { try parseAlgorithm($0) })
    var idTokenAlgorithm = IDTokenAlgorithm.rs256

    @Option(help: "Lifetime of device codes in seconds, at least 1.")
    var deviceCodeLifetime = 600

    @Option(help: "Minimum seconds between two polls of a device, at least 0.")
    var deviceCodeInterval = 5

    @Option(name: .customLong("client-id"), help: "The admin's client id; default: random.")
    var clientID: String?

    @Option(name: .customLong("client-secret"), help: "The admin's client secret; default: random.")
    var clientSecret: String?

    private static func parseAlgorithm(_ name: String) throws -> IDTokenAlgorithm {
        guard let algorithm = IDTokenAlgorithm(rawValue: name) else {
            throw ValidationError("--id-token-algorithm must be RS256 or ES256")
        }
        return algorithm
    }

    func validate() throws {
        guard heartbeat >= 0.05, heartbeat <= 86_400 else {
            throw ValidationError("--heartbeat must be from 0.05 to 86400 seconds")
        }
        guard (1...86_400 * 365).contains(accessTokenLifetime), (1...86_400).contains(deviceCodeLifetime),
            (0...3600).contains(deviceCodeInterval)
        else { throw ValidationError("a lifetime or interval is out of its range") }
        guard !appIDs.contains(""), Set(appIDs).count == appIDs.count else {
            throw ValidationError("--app-id must not be empty or repeated with the same value")
        }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--tls-certificate and --tls-key must be specified together")
        }
        guard (clientID == nil) == (clientSecret == nil) else {
            throw ValidationError("--client-id and --client-secret must be specified together")
        }
    }

    func run() async throws {
        try await CommandErrors.reportingErrors {
            let announcement = StartupOutput()
            try await SandboxServer(options).run { await announcement.saveAndPrintCredentials(of: $0) }
            await announcement.removeCredentials()
        }
    }

    private var options: SandboxOptions {
        var options = SandboxOptions()
        options.host = host
        options.port = Int(port)
        options.database = database
        options.appIDs = appIDs
        options.requiresAssertions = requireAssertions
        options.disabledFeatures = without.features
        options.heartbeat = .milliseconds(Int64(heartbeat * 1000))
        options.accessTokenLifetime = accessTokenLifetime
        options.idTokenAlgorithm = idTokenAlgorithm
        options.deviceCodeLifetime = deviceCodeLifetime
        options.deviceCodeInterval = deviceCodeInterval
        options.deliver = { mail in
            print("mail to \(mail.recipient)\nSubject: \(mail.subject)\n\n\(mail.text)\n")
            fflush(nil)
        }
        if let certificate, let key { options.tls = .init(certificate: certificate, key: key) }
        if let clientID, let clientSecret { options.client = .init(id: clientID, secret: clientSecret) }
        return options
    }
}

/// The startup output of `serve` and the credentials file, which is removed when `serve` stops.
actor StartupOutput {
    private let environment = ProcessInfo.processInfo.environment
    private var address: SandboxAddress?

    /// Saves the credentials to a file, and prints the address and the credentials. Flushes the output
    /// for scripts that read it from a pipe.
    func saveAndPrintCredentials(of address: SandboxAddress) {
        self.address = address
        var lines = [
            "listening on \(address.url)",
            "client_id \(address.client.id)",
            "client_secret \(address.client.secret)",
        ]
        do {
            lines.append(
                "credentials in \(try CredentialsFile.write(for: address, environment: environment))")
        } catch {
            CommandErrors.warn("\(error)")
        }
        lines.append("this is a development server: anyone who can connect can register; do not expose it")
        print(lines.joined(separator: "\n"))
        fflush(nil)
    }

    func removeCredentials() {
        if let address { CredentialsFile.remove(for: address, environment: environment) }
    }
}

/// A comma-separated list of features, such as `stream,long-poll`.
struct FeatureList: ExpressibleByArgument {
    var features: Set<SandboxFeature> = []

    static var names: String { SandboxFeature.allCases.map(\.rawValue).joined(separator: ",") }

    init() {}

    init?(argument: String) {
        for word in argument.split(separator: ",") {
            guard let feature = SandboxFeature(rawValue: String(word)) else { return nil }
            features.insert(feature)
        }
    }

    var defaultValueDescription: String { "none" }
}
