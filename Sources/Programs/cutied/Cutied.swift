import ArgumentParser
import CommandWords
import Control
import FoundationEssentials
import Glibc
import Localization
import Platform
import Runtime

/// The entry point of `cutied`. The program parses the arguments, runs a command, and exits with the exit
/// code of the command.
@main
struct Cutied: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Product.name,
        abstract: "Show the replies to your feedback on the desktop.",
        discussion: """
            First steps:
              cutied setup
              systemctl --user enable --now cutied
              cutied ctl status

            Completion for your shell: cutied --generate-completion-script {bash,zsh,fish}
            """,
        subcommands: [
            RunCommand.self, CtlCommand.self, DoctorCommand.self, OpenCommand.self, SetupCommand.self,
        ])

    // The version is a separate flag, because `configuration.version` would add `--version` to the options of
    // every command.
    @Flag(help: "Show the version.")
    var version = false

    func validate() throws {
        if version { throw CleanExit.message("\(Product.name) \(Product.version)") }
    }

    static func main() {
        ProcessLimits.ignoreFileSizeSignal()
        let words = Self.words
        // Recognize a frequently polled command before reading `configuration`, because reading this property
        // creates the descriptions of all verbs.
        let polled = PolledCommand(words)
        let descriptors = polled != nil ? clientDescriptorCount : requiredDescriptorCount(for: words)
        if let shortage = ProcessLimits.findDescriptorShortage(forRequiredCount: descriptors) {
            let error = CommandError(.failed, shortage.sentence, advice: shortage.advice)
            Glibc.exit(ErrorReporter.report(error, rootCommand: Cutied.self, asJSON: wantsJSON(in: words)))
        }
        // Only `open` is translated, because it shows windows and dialogs. Scripts read the output of the
        // other commands.
        if polled == nil, words.first == OpenCommand.configuration.commandName {
            Language.useCatalogues()
            Language.updateCurrent(from: ProcessInfo.processInfo.environment)
        }
        EventLoop.shared.runProgram {
            do {
                guard areArgumentsUTF8 else {
                    throw CommandError(.badData, "an argument is not UTF-8", advice: "convert it with iconv")
                }
                CommandLineSecrets.hideInProcessList()
                if let polled {
                    try await polled.run()
                    return 0
                }
                var command = try parseAsRoot(
                    ArgumentNormalizer.normalize(words, forRootCommand: Cutied.self))
                if var waiting = command as? any AsyncParsableCommand {
                    try await waiting.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                let code = ErrorReporter.report(
                    controlVerbError(in: words) ?? error, rootCommand: Cutied.self,
                    asJSON: wantsJSON(in: words))
                if words.first == OpenCommand.configuration.commandName {
                    await DesktopNotice.notifyUser(of: error)
                }
                return code
            }
        }
    }

    /// Returns whether to print errors as JSON.
    private static func wantsJSON(in arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    /// The number of descriptors that a client of the daemon needs.
    private static let clientDescriptorCount = 16

    /// Returns the number of file descriptors that a command needs.
    private static func requiredDescriptorCount(for arguments: [String]) -> Int {
        [CtlCommand.configuration.commandName, "help", "--help", "--version"].contains(arguments.first)
            ? clientDescriptorCount : 64
    }

    /// Whether all arguments are valid UTF-8. `CommandLine.arguments` replaces invalid bytes, so a message
    /// would be sent with replacement characters.
    private static var areArgumentsUTF8: Bool {
        (0..<Int(CommandLine.argc)).allSatisfy { index in
            CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) } != nil
        }
    }

    /// The arguments in normalized form: `ctl help` becomes `help ctl`, and `help VERB` also accepts a verb
    /// of `ctl`.
    private static var words: [String] {
        var words = Array(CommandLine.arguments.dropFirst())
        if words.starts(with: ["ctl", "help"]) { words.swapAt(0, 1) }
        if words.count > 1, words[0] == "help", isControlVerbOnly(words[1]) { words.insert("ctl", at: 1) }
        return words
    }

    /// Returns whether a word is a verb of `ctl` but not a command. Some words, such as `open`, are both a
    /// verb and a command.
    private static func isControlVerbOnly(_ word: String) -> Bool {
        CtlCommand.isVerb(word)
            && !configuration.subcommands.contains { $0.configuration.commandName == word }
    }

    /// Returns an error if the verb of `ctl` is unknown, or if the user omitted `ctl` before a verb; otherwise
    /// `nil`.
    private static func controlVerbError(in words: [String]) -> CommandError? {
        let verb = words.dropFirst().first ?? ""
        if words.first == CtlCommand.configuration.commandName, !verb.isEmpty, !verb.hasPrefix("-"),
            verb != "help", !CtlCommand.isVerb(verb)
        {
            return CommandError(.usage, "unknown verb \(verb)", advice: "`cutied help ctl` lists the verbs")
        }
        guard let verb = words.first, isControlVerbOnly(verb) else { return nil }
        return CommandError(.usage, "\(verb) is a verb of `cutied ctl`", advice: "run `cutied ctl \(verb)`")
    }
}
