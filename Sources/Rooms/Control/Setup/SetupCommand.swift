public import ArgumentParser
import CutieAPI
import FoundationEssentials
import Glibc
import Platform

/// `cutied setup`: the first thing a person types.
public struct SetupCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Write the App ID and the API address into the config.",
        discussion: """
            Without --app-id it asks for both; with it, it asks for nothing and leaves an address that is not \
            given as it is. The rest of the config stays, too.
            Examples:
              cutied setup
              cutied setup --app-id app_42
              cutied setup --app-id app_42 --sandbox
            """)

    @Option(name: .customLong("app-id"), help: "The App ID, as the admin dashboard shows it.")
    var appID: String?

    @Option(name: .customLong("api-url"), help: "The API address, where it is not the hosted service.")
    var apiURL: String?

    @Flag(help: "Use the hosted sandbox.")
    var sandbox = false

    public init() {}

    public func validate() throws {
        if sandbox, apiURL != nil { throw ValidationError("give --sandbox or --api-url, and not both") }
        if appID == nil, isatty(STDIN_FILENO) == 0 {
            throw ValidationError("there is no terminal to ask for the App ID; give --app-id")
        }
    }

    public func run() async throws {
        let file = Paths(environment: ProcessInfo.processInfo.environment).ownConfigurationFile
        let setup = Setup(file: file) { question in
            try Output.standard.write(question)
            return readLine()
        }
        try setup.run(appID: appID, apiURL: sandbox ? "\(APIAddress.hostedSandbox)" : apiURL)
        try Output.standard.write(
            """
            wrote \(PlainText.line(file))
            next: systemctl --user enable --now cutied   (where it runs already: cutied ctl reload)
            then: cutied ctl status

            """)
    }
}
