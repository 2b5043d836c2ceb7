public import ArgumentParser

/// An invalid command-line argument; exit code 64.
public struct UnusableArgument: Error, Hashable, Sendable {
    /// A description of the problem, for the user.
    public let sentence: String
    /// The advice for the user, such as the correct option.
    public let advice: String
}

/// A rewriter of command-line arguments, so that the parser cannot mistake text for an option.
///
/// ArgumentParser splits an argument such as `- the export hangs` into one-letter options, finds `-h` among
/// them, prints the help and exits with 0. This type treats an argument as an option only if the command
/// declares exactly that name. All other arguments are operands and follow `--`, after which the parser
/// accepts any text.
public enum ArgumentNormalizer {
    /// Returns `words` reordered: subcommand names, declared options, `--`, operands.
    ///
    /// - Throws: `UnusableArgument` for an option that the command does not declare.
    public static func normalize(
        _ words: [String], forRootCommand root: any ParsableCommand.Type
    ) throws(UnusableArgument) -> [String] {
        if words.first == "help", !root.configuration.subcommands.isEmpty {
            return try checkedHelpArguments(words, forRootCommand: root)
        }
        guard words.contains(where: isAmbiguous) else { return words }
        let (command, depth) = root.findSubcommand(atStartOf: words)
        let path = Array(words[..<depth])
        guard let command = command.receiver else {
            return try path + checkedGroupArguments(words[depth...], isRootCommand: depth == 0)
        }
        if depth == 0, let option = words.first, isBuiltIn(option) { return words }
        return try path + normalizedArguments(words[depth...], declaredOptions: DeclaredOptions(command))
    }

    /// Returns whether the parser could misinterpret `word`. The parser never misinterprets `-`, `--json`
    /// and `--no-wait`. Most command lines contain no other options, so most runs need not read the
    /// declarations of the options, which is slow.
    private static func isAmbiguous(_ word: String) -> Bool {
        word.startsWithDash && !["-", "--json", "--no-wait"].contains(word)
    }

    private static let helpOptions: Set = ["-h", "--help"]

    /// Checks and returns the arguments of a command group. Before the name of a subcommand, the only valid
    /// options are `-h`, `--help` and, for the root command, the parser's built-in options.
    ///
    /// - Throws: `UnusableArgument` for any other option.
    private static func checkedGroupArguments(
        _ words: ArraySlice<String>, isRootCommand: Bool
    ) throws(UnusableArgument) -> [String] {
        guard let option = words.first(where: \.startsWithDash) else { return Array(words) }
        if helpOptions.contains(option) { return [option] }
        guard isRootCommand, isBuiltIn(option) else { throw unknownOptionError(for: option) }
        return Array(words)
    }

    /// Returns whether `option` is an option that the parser adds to the root command.
    private static func isBuiltIn(_ option: String) -> Bool {
        ["--version", "--generate-completion-script", "---completion"].contains(option.optionName)
    }

    /// Returns the options of a command with their values, then `--` and the operands; only `--help` if the
    /// user requests help.
    ///
    /// - Throws: `UnusableArgument` for an option that the command does not declare.
    private static func normalizedArguments(
        _ words: ArraySlice<String>, declaredOptions declared: DeclaredOptions
    ) throws(UnusableArgument) -> [String] {
        var (rest, options, operands) = (words, [String](), [String]())
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            if helpOptions.contains(word) { return ["--help"] }
            switch declared.kind(of: word) {
            case .flag: options.append(word)
            case .option: options += normalizedOption(word, followedBy: &rest, declaredOptions: declared)
            case nil where word.isShapedLikeOption: throw unknownOptionError(for: word)
            case nil: operands.append(word)
            }
        }
        return operands.isEmpty ? options : options + ["--"] + operands
    }

    /// Returns an option with its value. The value is either in `word`, after `=`, or the first element of
    /// `rest`, which is then removed. If the value begins with a dash, the result is `--name=value`.
    /// Otherwise, the name and the value are separate arguments: the parser would not find the `=` if the
    /// value began with a combining character, which merges with the `=`.
    private static func normalizedOption(
        _ word: String, followedBy rest: inout ArraySlice<String>, declaredOptions declared: DeclaredOptions
    ) -> [String] {
        let name = word.optionName
        if let value = word.optionValue { return value.startsWithDash ? [word] : [name, value] }
        guard let next = rest.first, next != "--", !helpOptions.contains(next), declared.kind(of: next) == nil
        else { return [name] }
        rest.removeFirst()
        return next.startsWithDash ? [name + "=" + next] : [name, next]
    }

    private static func unknownOptionError(for option: String) -> UnusableArgument {
        UnusableArgument(
            sentence: "unknown option \(option.optionName)",
            advice: "--help lists the options; put -- before a text that begins with a dash")
    }

    /// Checks and returns the arguments of the command `help`.
    ///
    /// - Throws: `UnusableArgument` if the words after `help` are not a command. The parser would otherwise
    ///   print the help of another command.
    private static func checkedHelpArguments(
        _ words: [String], forRootCommand root: any ParsableCommand.Type
    ) throws(UnusableArgument) -> [String] {
        let (command, depth) = root.findSubcommand(atStartOf: words.dropFirst())
        let rest = words.dropFirst(1 + depth)
        guard let word = rest.first, !(depth == 0 && word == "help") else { return words }
        if helpOptions.contains(word) { return ["help"] }
        if command.configuration.subcommands.isEmpty || word.startsWithDash {
            throw UnusableArgument(
                sentence: "help does not accept \(word) here", advice: "specify a command name after help")
        }
        throw UnusableArgument(
            sentence: "unknown command \(word)",
            advice: "`\(root._commandName) help` lists the commands")
    }
}

extension ParsableCommand {
    /// Returns the subcommand whose name is at the start of `words`, and the number of words in the name. If
    /// no subcommand matches, returns this command and 0.
    fileprivate static func findSubcommand(
        atStartOf words: some Sequence<String>
    ) -> (command: any ParsableCommand.Type, depth: Int) {
        var (command, depth) = (self as any ParsableCommand.Type, 0)
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0.isCommandNamed(word) })
            else {
                break
            }
            (command, depth) = (next, depth + 1)
        }
        return (command, depth)
    }

    private static func isCommandNamed(_ word: String) -> Bool {
        _commandName == word || configuration.aliases.contains(word)
    }

    /// The command that receives the arguments; `nil` if a subcommand is required.
    fileprivate static var receiver: (any ParsableCommand.Type)? {
        configuration.subcommands.isEmpty ? self : configuration.defaultSubcommand
    }
}

extension String {
    fileprivate var startsWithDash: Bool { utf8.first == UInt8(ascii: "-") }

    /// Whether the string has the form of an option: `-x`, `--name` or `--name=value`.
    fileprivate var isShapedLikeOption: Bool {
        guard startsWithDash else { return false }
        let name = Array(optionName.utf8)
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
        if name.count == 2 { return isLetter(name[1]) && !utf8.contains(UInt8(ascii: "=")) }
        guard name.starts(with: "--".utf8), let first = name.dropFirst(2).first else { return false }
        return isLetter(first) && name.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "-") }
    }

    /// The part of the argument before the first `=`.
    fileprivate var optionName: String {
        String(Substring(utf8.prefix { $0 != UInt8(ascii: "=") }))
    }

    /// The part of the argument after the first `=`; `nil` if the argument contains no `=`.
    fileprivate var optionValue: String? {
        utf8.firstIndex(of: UInt8(ascii: "=")).map { String(Substring(utf8[utf8.index(after: $0)...])) }
    }
}
