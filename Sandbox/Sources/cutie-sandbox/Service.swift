public import ArgumentParser
import Foundation
import Glibc
public import Sandbox

/// The `service` subcommand.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Serve a second service that accepts the sandbox as its sign-in server.",
        discussion: """
            Prints `listening on URL` to standard output when connections are accepted, then announces itself \
            to its issuer if it finds credentials in the same way as `reply`. Its data is kept in memory only.
            """)

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 selects a free port, which is printed.")
    var port: UInt16 = 0

    @Option(help: "Address of the `cutie-sandbox serve` that people sign in to.")
    var issuer = "http://127.0.0.1:8787"

    @Option(help: "Name of the service.")
    var name = "A service"

    @Option(
        name: .customLong("protocol"),
        help: "A supported protocol; may be repeated. Default: three Cuti-E protocols.")
    var protocols: [String] = []

    @Option(help: "Lifetime of access tokens in seconds, at least 1.")
    var tokenLife = 3600

    @Option(
        help: ArgumentHelp("Inject these faults: \(FaultList.names).", valueName: "list"))
    var fault = FaultList()

    @Option(help: "Format of the service description: \(DescriptionForm.names).")
    var form = DescriptionForm.list

    @Option(help: "How the description names the root of the service: \(EngineForm.names).")
    var engine = EngineForm.absolute

    @OptionGroup var credentials: AdminCredentials

    func validate() throws {
        guard (1...86_400 * 365).contains(tokenLife) else {
            throw ValidationError("--token-life must be from 1 second to a year")
        }
        guard !name.isEmpty, name.utf8.count <= 256, protocols.count <= 32,
            Set(protocols).count == protocols.count
        else { throw ValidationError("a service needs a name and at most 32 different protocols") }
    }

    func run() async throws {
        try await CommandErrors.reportingErrors {
            let server = try ServiceServer(options)
            try await server.run { url in
                printLine("listening on \(url)")
                await registerService(server, at: url)
            }
        }
    }

    /// Announces the service to its issuer. A failure only causes a warning, because clients that know the
    /// address can still fetch the description.
    private func registerService(_ server: ServiceServer, at url: String) async {
        do {
            let client = try AdminClient(url: issuer, client: try credentials.findCredentials(for: issuer))
            guard try await server.register(at: url, with: client) else { return }
            printLine("announced to \(issuer)")
        } catch {
            CommandErrors.warn("not announced: \(error)")
        }
    }

    /// Prints a line and flushes the output for scripts that read it from a pipe.
    private func printLine(_ line: String) {
        print(line)
        fflush(nil)
    }

    private var options: ServiceOptions {
        var options = ServiceOptions(issuer: issuer)
        options.host = host
        options.port = Int(port)
        options.name = name
        if !protocols.isEmpty { options.protocols = protocols }
        options.tokenLife = tokenLife
        options.faults = fault.faults
        (options.form, options.engine) = (form, engine)
        return options
    }
}

extension DescriptionForm: ExpressibleByArgument {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension EngineForm: ExpressibleByArgument {
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// A comma-separated list of simulated faults, such as `redirect,huge-description`.
struct FaultList: ExpressibleByArgument {
    var faults: Set<ServiceFault> = []

    static var names: String { ServiceFault.allCases.map(\.rawValue).joined(separator: ",") }

    init() {}

    init?(argument: String) {
        for word in argument.split(separator: ",") {
            guard let fault = ServiceFault(rawValue: String(word)) else { return nil }
            faults.insert(fault)
        }
    }

    var defaultValueDescription: String { "none" }
}
