import ArgumentParser
import Foundation
import Sandbox

/// The `admin` subcommand.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Manage support staff accounts.", subcommands: [AddAdmin.self])
}

/// The `admin add` subcommand.
struct AddAdmin: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Create an account that a person can sign in to.",
        discussion: """
            Prints `password PASSWORD` once; the server stores only a hash. Credentials are found in the same \
            way as for `reply`. Exit codes: 0 created, 1 refused, 64 usage, 69 server not reachable, \
            77 wrong credentials.
            """)

    @OptionGroup var access: AdminAccess

    @Argument(help: "The person's name.")
    var name: String

    @Argument(help: "The person's e-mail address.")
    var email: String

    func run() async throws {
        try await CommandErrors.reportingErrors {
            print("password \(try await access.makeClient().addAdmin(named: name, email: email))")
        }
    }
}

/// The options that select the API and the admin credentials.
struct AdminAccess: ParsableArguments {
    @Option(help: "Address of the API.")
    var url = "http://127.0.0.1:8787"

    @OptionGroup var credentials: AdminCredentials

    /// Returns a client of the API.
    ///
    /// - Throws: `SandboxError` if there are no credentials.
    func makeClient() throws -> AdminClient {
        try AdminClient(url: url, client: try credentials.findCredentials(for: url))
    }
}

/// The credentials of an admin, from the first available source: the options, the environment, or the file
/// that `serve` wrote.
struct AdminCredentials: ParsableArguments {
    @Option(name: .customLong("client-id"), help: "The admin's client id.")
    var clientID: String?

    @Option(name: .customLong("client-secret"), help: "The admin's client secret.")
    var clientSecret: String?

    func validate() throws {
        guard (clientID == nil) == (clientSecret == nil) else {
            throw ValidationError("--client-id and --client-secret must be specified together")
        }
    }

    /// Returns the credentials for the sandbox at `url`.
    ///
    /// - Throws: `SandboxError` if there are no credentials.
    func findCredentials(for url: String) throws -> OAuthClient {
        if let clientID, let clientSecret { return OAuthClient(id: clientID, secret: clientSecret) }
        let environment = ProcessInfo.processInfo.environment
        if let id = environment["CUTIE_CLIENT_ID"], let secret = environment["CUTIE_CLIENT_SECRET"] {
            return OAuthClient(id: id, secret: secret)
        }
        return try CredentialsFile.read(forURL: url, environment: environment)
    }
}
