import ArgumentParser
import CommandWords
import Glibc
import Platform

@main
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutie-sandbox",
        abstract: "Run the Cuti-E API on this computer, for development and tests.",
        discussion: """
            Start it with `serve`, set api_url of `cutied` to the printed address, send feedback from an app or \
            with `cutied ctl new`, and answer as support with `reply`. Exit codes: 0 done, 1 too few file \
            descriptors or refused, 64 usage; the help of a subcommand lists its other codes.
            """,
        version: "cutie-sandbox \(Product.version)",
        subcommands: [Serve.self, Reply.self, AdminCommand.self, ServiceCommand.self])

    static func main() async {
        // Check the limit of open descriptors first, because SwiftNIO terminates the program if it cannot open
        // a descriptor.
        if let shortage = ProcessLimits.findDescriptorShortage(forRequiredCount: 128) {
            CommandErrors.warn("\(shortage.sentence); \(shortage.advice)")
            Glibc.exit(1)
        }
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot(ArgumentNormalizer.normalize(words, forRootCommand: Self.self))
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch let argument as UnusableArgument {
            exit(withError: ValidationError(argument.sentence + "; " + argument.advice))
        } catch {
            exit(withError: error)
        }
    }
}
