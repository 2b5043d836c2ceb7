import ArgumentParser
import CommandWords
import Control
import ControlAPI
import FoundationEssentials
import Glibc
import Identity
import Localization
import Platform
import Threads

/// The program: parse, run, exit code.
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

    // A version in the configuration would make `--version` an option of every verb, also among its texts.
    @Flag(help: "Show the version.")
    var version = false

    func validate() throws {
        if version { throw CleanExit.message("\(Product.name) \(Product.version)") }
    }

    static func main() {
        ProcessLimits.ignoreFileSizeSignal()
        let words = Self.words
        if words == [KeyringHelper.argument] { Glibc.exit(KeyringHelper.run()) }
        if let shortage = ProcessLimits.descriptorShortage(below: descriptorCount(for: words)) {
            let error = CommandError(.failed, shortage.sentence, advice: shortage.advice)
            Glibc.exit(ErrorReporter.report(error, of: Cutied.self, json: wantsJSON(words)))
        }
        if speaksToThePerson(words) {
            Language.findCatalogues()
            Language.follow(ProcessInfo.processInfo.environment)
        }
        EventLoop.shared.runProgram {
            do {
                guard isText else {
                    throw CommandError(.badData, "an argument is not UTF-8", advice: "convert it with iconv")
                }
                if var polled = PolledCommand.reading(words) {
                    try await polled.run()
                    return 0
                }
                var command = try parseAsRoot(ArgumentNormalizer.normalize(words, of: Cutied.self))
                if var waiting = command as? any AsyncParsableCommand {
                    try await waiting.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                let code = ErrorReporter.report(
                    forgottenWord(in: words) ?? error, of: Cutied.self, json: wantsJSON(words))
                if words.first == OpenCommand.configuration.commandName { await DesktopNotice.tell(error) }
                return code
            }
        }
    }

    /// Whether errors are to be read by a script.
    private static func wantsJSON(_ words: [String]) -> Bool {
        words.prefix { $0 != "--" }.contains("--json")
    }

    /// The number of descriptors that a command may have open at once when it starts; a client of the daemon needs few.
    private static func descriptorCount(for words: [String]) -> Int {
        [CtlCommand.configuration.commandName, "help", "--help", "--version"].contains(words.first) ? 16 : 64
    }

    /// The daemon by pop-ups, `open` by windows; what everything else prints is read by scripts, too.
    private static func speaksToThePerson(_ words: [String]) -> Bool {
        [RunCommand.configuration.commandName, OpenCommand.configuration.commandName].contains(words.first)
    }

    /// `CommandLine.arguments` has lost the letters that are not UTF-8, and a message would be sent without them.
    private static var isText: Bool {
        (0..<Int(CommandLine.argc)).allSatisfy { index in
            CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) } != nil
        }
    }

    /// `help VERB` is about a verb of `ctl`, too, and `ctl help` is `help ctl`.
    private static var words: [String] {
        var words = Array(CommandLine.arguments.dropFirst())
        if words.starts(with: ["ctl", "help"]) { words.swapAt(0, 1) }
        if words.count > 1, words[0] == "help", isVerbAlone(words[1]) { words.insert("ctl", at: 1) }
        return words
    }

    /// `open` is a command, too.
    private static func isVerbAlone(_ word: String) -> Bool {
        CtlCommand.isVerb(word)
            && !configuration.subcommands.contains { $0.configuration.commandName == word }
    }

    /// A verb without `ctl` before it.
    private static func forgottenWord(in words: [String]) -> CommandError? {
        guard let verb = words.first, isVerbAlone(verb) else { return nil }
        return CommandError(.usage, "\(verb) is a verb of ctl", advice: "type `cutied ctl \(verb)`")
    }
}
