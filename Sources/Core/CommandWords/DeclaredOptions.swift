import ArgumentParser
import JSONReading

/// The options that a command declares, read from the parser's description of the command.
struct DeclaredOptions {
    enum Kind: String, Decodable {
        /// An option without a value.
        case flag
        /// An option with a value.
        case option
    }

    private var kinds: [String: Kind] = [:]

    init(_ command: any ParsableCommand.Type) {
        // The JSON help dump is the parser's only complete list of declarations.
        guard let tool = try? JSONCoding.decode(Tool.self, from: command._dumpHelp().utf8) else {
            preconditionFailure("the parser's description of \(command) has an unexpected form")
        }
        for argument in tool.command.arguments ?? [] {
            guard let kind = Kind(rawValue: argument.kind) else { continue }
            for name in argument.names ?? [] { kinds[name.text] = kind }
        }
    }

    /// Returns the declared kind of an option, given as `--name` or `--name=value`; `nil` if it is not
    /// declared.
    func kind(of option: String) -> Kind? {
        kinds[String(Substring(option.utf8.prefix { $0 != UInt8(ascii: "=") }))]
    }

    private struct Tool: Decodable {
        let command: Command

        struct Command: Decodable {
            let arguments: [Argument]?
        }

        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
        }

        struct Name: Decodable {
            let kind: String
            let name: String

            var text: String { (kind == "long" ? "--" : "-") + name }
        }
    }
}
