import ArgumentParser
import Control
import ControlAPI
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
        version: "\(Product.name) \(Product.version)",
        subcommands: [
            RunCommand.self, CtlCommand.self, DoctorCommand.self, OpenCommand.self, SetupCommand.self,
        ])

    static func main() {
        EventLoop.shared.runProgram {
            do {
                var command = try parseAsRoot()
                if var waiting = command as? any AsyncParsableCommand {
                    try await waiting.run()
                } else {
                    try command.run()
                }
                return 0
            } catch {
                return Ending.report(error, of: Cutied.self)
            }
        }
    }
}
