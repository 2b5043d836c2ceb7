import ArgumentParser
import Foundation
import Glibc
import Sandbox

/// The `serve` subcommand.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the API until SIGTERM or SIGINT.",
        discussion: """
            The first line on standard output is `listening on URL`, as soon as connections are \
            accepted; then come the admin's `client_id` and `client_secret`. They are also written to a \
            file that only its owner can read, for `cutie-sandbox reply`.
            """)

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 is any free one, the real one is printed.")
    var port: UInt16 = 8787

    @Option(help: "File that keeps everything, or :memory: to forget at the end.")
    var database = ":memory:"

    @Option(name: .customLong("tls-certificate"), help: "Serve https with this PEM certificate chain.")
    var certificate: String?

    @Option(name: .customLong("tls-key"), help: "PEM key of the certificate.")
    var key: String?

    @Option(name: .customLong("app-id"), help: "An App ID that is accepted; several where it is repeated.")
    var appIDs = ["app_sandbox"]

    @Flag(help: "Refuse what an attested device changes without an X-App-Assertion.")
    var requireAssertions = false

    @Option(
        help: ArgumentHelp(
            "Do as a server that lacks these: \(FeatureList.names).", valueName: "list"))
    var without = FeatureList()

    @Option(help: "Seconds between two heartbeats of an event stream, from 0.05; the contract says 25.")
    var heartbeat = 25.0

    @Option(help: "Seconds that an access token is good, from 1.")
    var accessTokenLifetime = 3600

    @Option(help: "How ID tokens are signed: RS256 or ES256.", transform: { try algorithm($0) })
    var idTokenAlgorithm = IDTokenAlgorithm.rs256

    @Option(help: "Seconds that the code of a device is good, from 1.")
    var deviceCodeLifetime = 600

    @Option(help: "Seconds that a device has to wait between two questions, from 0.")
    var deviceCodeInterval = 5

    @Option(name: .customLong("client-id"), help: "The admin's client id, else it is made up.")
    var clientID: String?

    @Option(name: .customLong("client-secret"), help: "The admin's client secret, else it is made up.")
    var clientSecret: String?

    private static func algorithm(_ name: String) throws -> IDTokenAlgorithm {
        guard let algorithm = IDTokenAlgorithm(rawValue: name) else {
            throw ValidationError("--id-token-algorithm is RS256 or ES256")
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
            throw ValidationError("--app-id must name an app, and each one once")
        }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go together")
        }
        guard (clientID == nil) == (clientSecret == nil) else {
            throw ValidationError("--client-id and --client-secret go together")
        }
    }

    func run() async throws {
        try await Failure.reported {
            let announcement = Announcement()
            try await SandboxServer(options).run { await announcement.make($0) }
            await announcement.withdraw()
        }
    }

    private var options: SandboxOptions {
        var options = SandboxOptions()
        options.host = host
        options.port = Int(port)
        options.database = database
        options.appIDs = appIDs
        options.requiresAssertions = requireAssertions
        options.without = without.features
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

/// The lines that `serve` prints when it listens, and the credentials file, which it removes when it stops.
actor Announcement {
    private let environment = ProcessInfo.processInfo.environment
    private var address: SandboxAddress?

    /// Prints the address and the credentials. Flushes the output because scripts read it line by line from a
    /// pipe.
    func make(_ address: SandboxAddress) {
        self.address = address
        var lines = [
            "listening on \(address.url)",
            "client_id \(address.client.id)",
            "client_secret \(address.client.secret)",
        ]
        do {
            lines.append("credentials in \(try CredentialsFile.write(address, environment: environment))")
        } catch {
            Failure.warn("\(error)")
        }
        lines.append("this is a development server: whoever reaches it can register; do not expose it")
        print(lines.joined(separator: "\n"))
        fflush(nil)
    }

    func withdraw() {
        if let address { CredentialsFile.remove(address, environment: environment) }
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
