public import ArgumentParser
import Config
import ControlClient
import CutieAPI
import FoundationEssentials
import Glibc
import Platform
import Setup

/// The command `cutied setup`, the first step for a new user.
public struct SetupCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Write the App ID and the API address to the config.",
        discussion: """
            Without --app-id, the command asks for both values. With --app-id, it asks nothing, and keeps the \
            current address unless --api-url or --sandbox is given. All other settings are kept. With --staff, \
            it writes a support staff account, which signs in and needs no App ID.

            Examples:
              cutied setup
              cutied setup --app-id app_42
              cutied setup --app-id app_42 --sandbox
              cutied setup --staff --api-url https://feedback.example.org
            """)

    @Option(
        name: .customLong("app-id"),
        help: "The App ID from the admin dashboard, or a cutie://setup link that contains one.")
    var appID: String?

    @Option(name: .customLong("api-url"), help: "The API address; default: the hosted service.")
    var apiURL: String?

    @Flag(help: "Use the hosted sandbox.")
    var sandbox = false

    @Flag(help: "Write a support staff account; an existing device account is kept.")
    var staff = false

    public init() {}

    public func validate() throws {
        if sandbox, apiURL != nil { throw ValidationError("specify either --sandbox or --api-url, not both") }
        if staff, appID != nil { throw ValidationError("specify either --staff or --app-id, not both") }
        if appID == nil, !staff, isatty(STDIN_FILENO) == 0 {
            throw ValidationError("there is no terminal to ask for the App ID; specify --app-id")
        }
    }

    public func run() async throws {
        let file = ConfigurationFile(environment: ProcessInfo.processInfo.environment)
        let dialog = SetupDialog(file: file) { question in
            try Output.standard.write(question)
            return readLine()
        }
        let address = sandbox ? "\(APIAddress.hostedSandbox)" : apiURL
        if staff {
            _ = try dialog.addStaffAccount(apiURL: address)
        } else {
            try dialog.configureAccount(appID: appID, apiURL: address)
        }
        try Output.standard.write(Self.nextStepsMessage(configurationPath: file.path, isStaff: staff))
    }

    /// Returns the commands to run after the config file was written to `path`.
    static func nextStepsMessage(configurationPath path: String, isStaff: Bool) -> String {
        """
        wrote \(TerminalText.singleLine(path))
        next: systemctl --user enable --now cutied   (if cutied is already running: cutied ctl reload)
        then: cutied ctl \(isStaff ? "signin" : "status")

        """
    }
}

/// Asks for the App ID and the API address, and writes them to the user's config file. Other settings are
/// preserved.
struct SetupDialog {
    let file: ConfigurationFile
    /// Prints a question and returns the line that the user typed; `nil` at end of file.
    let ask: (String) throws -> String?

    /// The maximum number of invalid answers in a row.
    private static let maxAttempts = 5

    /// Asks for the values that are `nil`, and writes the account. `appID` may be a link that contains an App
    /// ID.
    func configureAccount(appID: String?, apiURL: String?) throws {
        let current = try mappingErrors { () throws(SetupFailure) in try file.findDefaultAccount() }
        let given = try apiURL.map(parseAddress)
        let entry =
            try appID.map(makeEntry)
            ?? askForValue(named: "App ID", default: current?.appID, parse: makeEntry)
        // If a script passes only the App ID, keep the configured address or, if there is none, use the
        // address of the hosted service.
        let chosen =
            try given ?? entry.address
            ?? (appID == nil
                ? askForValue(
                    named: "API address", default: "\(current?.apiURL ?? .production)", parse: parseAddress)
                : nil)
        try mappingErrors { () throws(SetupFailure) in _ = try file.setAppID(entry.appID, apiAddress: chosen)
        }
    }

    /// Writes a support account without asking questions. Returns the account name.
    func addStaffAccount(apiURL: String?) throws -> String {
        let address = try apiURL.map(parseAddress)
        return try mappingErrors { () throws(SetupFailure) in
            try file.addOrUpdateStaffAccount(apiAddress: address)
        }
    }

    private func askForValue<Answer>(
        named name: String, default standard: String?, parse read: (String) throws -> Answer
    ) throws -> Answer {
        for _ in 0..<Self.maxAttempts {
            guard let line = try ask(name + (standard.map { " [\($0)]" } ?? "") + ": ") else { break }
            let typed = line.allSatisfy(\.isWhitespace) ? standard ?? "" : line
            do { return try read(typed) } catch let error as CommandError {
                try Output.error.write(error.line + "\n")
            }
        }
        throw CommandError(.badData, "no \(name) was given", advice: "the admin dashboard shows it")
    }

    private func makeEntry(from text: String) throws -> SetupEntry {
        do { return try SetupEntry(text) } catch { throw CommandError(.badData, error.description) }
    }

    private func parseAddress(_ text: String) throws -> APIAddress {
        do { return try SetupEntry.parseAddress(text) } catch {
            throw CommandError(.badData, error.description)
        }
    }

    private func mappingErrors<Result>(_ body: () throws(SetupFailure) -> Result) throws(CommandError)
        -> Result
    {
        do { return try body() } catch {
            switch error {
            case .refused(let error): throw CommandError(.configuration, error.reason)
            case .noConfigFile(let path):
                throw CommandError(
                    .configuration, "\(path) is not a config file", advice: "move it to another place")
            case .notRead(let failure): throw CommandError(.failed, failure.description)
            case .notWritten: throw CommandError(.failed, error.description)
            case .rejectedByDaemon(let reason): throw CommandError(.failed, reason)
            }
        }
    }
}
