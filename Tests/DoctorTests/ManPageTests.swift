import ArgumentParser
import Control
import ControlAPI
import Foundation
import TestSupport
import Testing
import Varlink

/// Tests that the man pages describe all commands, options, interfaces and configuration keys.
struct ManPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the words that follow `macro` in the page, such as the words in `.It Cm show Ar conversation`.
    private static func words(of page: String, in macro: String) throws -> Set<String> {
        var found: Set<String> = []
        for line in try text("config/man/" + page).split(separator: "\n") where line.hasPrefix(".") {
            let words = line.dropFirst().split(separator: " ").map(String.init)
            guard let start = words.firstIndex(of: macro) else { continue }
            found.formUnion(words[(start + 1)...])
        }
        return found
    }

    private static var verbs: [any ParsableCommand.Type] {
        let configuration = CtlCommand.configuration
        return configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    }

    private static func names(of command: any ParsableCommand.Type) -> [String] {
        [command._commandName] + command.configuration.aliases
    }

    @Test func `The man page of ctl documents every command and subcommand`() throws {
        let documented = try Self.words(of: "cutied-ctl.1", in: "Cm")
        #expect(Self.verbs.count > 10)
        for verb in Self.verbs {
            for name in Self.names(of: verb) + verb.configuration.subcommands.flatMap(Self.names) {
                #expect(documented.contains(name), "verb \(name)")
            }
        }
    }

    @Test func `The man page of ctl documents every option of every command`() throws {
        let documented = try Self.words(of: "cutied-ctl.1", in: "Fl")
        let commands = Self.verbs + Self.verbs.flatMap { $0.configuration.subcommands }
        for command in commands {
            for option in Self.options(in: CtlCommand.helpMessage(for: command)) {
                #expect(documented.contains(option), "option -\(option) of \(command._commandName)")
            }
        }
    }

    /// Returns the options in a help text without their first dash, for example `-json` for `--json`. Omits
    /// the options that every command has.
    private static func options(in help: String) -> [String] {
        help.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard line.hasPrefix("  --"), let option = words.first?.dropFirst() else { return nil }
            return ["-version", "-help"].contains(option) ? nil : String(option)
        }
    }

    @Test func `The man page of cutied documents every command and option`() throws {
        let commands = try Self.words(of: "cutied.1", in: "Cm")
        for name in ["run", "ctl", "open", "doctor", "setup", "help"] { #expect(commands.contains(name)) }
        let options = try Self.words(of: "cutied.1", in: "Fl")
        for option in Self.options(in: SetupCommand.helpMessage()) + ["-config", "-log-level", "-json"] {
            #expect(options.contains(option), "option -\(option)")
        }
    }

    /// The path of each interface description, without the extension.
    private static let interfaces =
        ControlSocket.interfaces.map { "ControlAPI/" + $0.name } + ["AccessAPI/io.cutied.Access"]

    @Test(arguments: interfaces)
    func `The man page of each interface is generated from the interface file`(path: String) async throws {
        let (file, name) = ("Sources/Core/\(path).varlink", URL(filePath: path).lastPathComponent)
        let files = [
            "config/man/interface.awk", file, "config/man/\(name).7",
        ].map { Self.root.appending(path: $0).path }
        let awk = try ChildProcess("/usr/bin/awk", ["-f"] + files)
        #expect(try await awk.waitForExit() == 0, "\(awk.standardError)")
        let page = try Self.text("config/man/\(name).7")
        #expect(awk.standardOutput == page, "run `make man`")
        let text = try Self.text(file)
        let interface = try VarlinkInterface(parsing: text)
        for name in interface.methods.map(\.name) { #expect(page.contains("\n.It Fn \(name)"), "\(name)") }
        for name in interface.errors.map(\.name) { #expect(page.contains("\n.It Er \(name)\n"), "\(name)") }
    }

    @Test func `The man page for the configuration file documents every key`() throws {
        let documented = try Self.words(of: "cutied.yaml.5", in: "Ic")
        let lines = try Self.text("config/config.yaml").split(separator: "\n")
        // Lines with a default value have at most two spaces after the `#`; examples have more.
        let keys = lines.compactMap { line in
            line.wholeMatch(of: /#(?: {2})?([a-z_]+):(?: .*)?/).map { String($0.1) }
        }
        #expect(keys.count > 30)
        for key in keys { #expect(documented.contains(key), "key \(key)") }
        for key in ["match", "then", "show", "urgency", "category", "priority", "conversation", "sender"] {
            #expect(documented.contains(key), "key \(key)")
        }
    }

    @Test func `The man pages document every exit code`() throws {
        for (page, codes) in [
            ("cutied.1", [0, 1, 64, 65, 66, 69, 78]), ("cutied-ctl.1", [0, 1, 64, 65, 66, 69, 75, 77, 78]),
        ] {
            let text = try Self.text("config/man/" + page)
            for code in codes { #expect(text.contains("\n.It \(code)\n"), "\(page): \(code)") }
        }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc")),
        arguments: [
            "cutie-sandbox.1", "cutied.1", "cutied-attestation.7", "cutied-ctl.1", "cutied.yaml.5",
        ] + interfaces.map { URL(filePath: $0).lastPathComponent + ".7" })
    func `Each man page is valid according to mandoc`(page: String) async throws {
        let file = Self.root.appending(path: "config/man/" + page).path
        let lint = try ChildProcess("/usr/bin/mandoc", ["-Tlint", "-Wwarning", file])
        #expect(try await lint.waitForExit() == 0, "\(lint.standardOutput)")
    }
}
