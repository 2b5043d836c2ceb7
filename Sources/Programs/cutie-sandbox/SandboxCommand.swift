import ArgumentParser
import ControlAPI

@main
struct SandboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cutie-sandbox",
        abstract: "The Cuti-E API on this machine, for development and tests.",
        discussion: """
            Start it with `serve`, point `cutied` at the address it prints, write to it from an app or \
            with `cutied ctl new`, and answer as support does with `reply`.
            """,
        version: "cutie-sandbox \(Product.version)",
        subcommands: [Serve.self, Reply.self, AdminCommand.self, ServiceCommand.self])
}
