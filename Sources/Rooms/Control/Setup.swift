public import ArgumentParser
import Config
import ControlClient
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
            wrote \(TerminalText.line(file))
            next: systemctl --user enable --now cutied   (where it runs already: cutied ctl reload)
            then: cutied ctl status

            """)
    }
}

/// Writes App ID and API address into a person's config file, and leaves the rest of it as it is.
struct Setup {
    /// The path of the config file.
    let file: String
    /// Asks and answers the line that was typed, nil at the end of input.
    let ask: (String) throws -> String?

    /// Wrong answers in a row that are borne.
    private static let mostAttempts = 5

    /// What is nil is asked for.
    func run(appID: String?, apiURL: String?) throws {
        let existing = try existingText()
        let current = try inWords { () throws(ConfigurationError) in
            try Configuration(yaml: existing ?? "", file: file).accounts.first {
                $0.name == AccountConfiguration.defaultName
            }
        }
        let id =
            try appID.map(checked(appID:)) ?? question("App ID", default: current?.appID, checked(appID:))
        // A script that names the App ID alone wants the address that is there, or the hosted one.
        let address =
            try apiURL.map(checked(apiURL:))
            ?? (appID == nil
                ? question("API address", default: "\(current?.apiURL ?? .production)", checked(apiURL:))
                : nil)
        let text = try inWords { () throws(ConfigurationError) in
            var text = ConfigurationText(existing: existing, file: file)
            try text.set(appID: id, apiURL: address)
            return text.text
        }
        try write(text)
    }

    private func question(
        _ name: String, default standard: String?, _ check: (String) throws -> String
    ) throws -> String {
        for _ in 0..<Self.mostAttempts {
            guard let line = try ask(name + (standard.map { " [\($0)]" } ?? "") + ": ") else { break }
            let typed = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            do { return try check(typed.isEmpty ? standard ?? "" : typed) } catch let error as CommandError {
                try Output.error.write(error.line + "\n")
            }
        }
        throw CommandError(.badData, "no \(name) was given", advice: "the admin dashboard shows it")
    }

    private func checked(appID: String) throws -> String {
        try check(appID: appID, apiURL: nil)
        return appID
    }

    private func checked(apiURL: String) throws -> String {
        try check(appID: "app_any", apiURL: apiURL)
        return apiURL
    }

    private func check(appID: String, apiURL: String?) throws {
        var alone = ConfigurationText(existing: nil, file: file)
        do { try alone.set(appID: appID, apiURL: apiURL) } catch {
            let name = error.key == "api_url" ? "the API address" : "the App ID"
            throw CommandError(.badData, "\(name) cannot be used: \(error.sentence)")
        }
    }
}

extension Setup {
    private func existingText() throws -> String? {
        do {
            let bytes = try SmallFile.read(file, limit: Configuration.sizeLimit)
            guard bytes.count <= Configuration.sizeLimit, let text = String(validating: bytes, as: UTF8.self)
            else {
                throw CommandError(.configuration, "\(file) is no config file", advice: "move it away")
            }
            return text
        } catch let failure as SystemFailure {
            if failure.code == ENOENT { return nil }
            throw CommandError(.failed, failure.description)
        }
    }

    private func write(_ text: String) throws {
        do {
            let directory = file.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            _ = try PrivateDirectory(making: directory)
            try SmallFile.replace(file, with: Array(text.utf8))
        } catch { throw CommandError(.failed, "cannot write the config: \(error)") }
    }

    private func inWords<Result>(_ body: () throws(ConfigurationError) -> Result) throws(CommandError)
        -> Result
    {
        do { return try body() } catch { throw CommandError(.configuration, error.description) }
    }
}
