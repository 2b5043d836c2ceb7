import Yams

/// The text of a config file as a tree, within limits.
enum YAMLDocument {
    /// The root; nil where there is nothing but comments.
    static func root(of text: String, file: String) throws(ConfigurationError) -> Node? {
        // Some editors write one; where the encoding is named, the parser takes it for a text of its own.
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        if let line = aliasLine(in: text) {
            throw ConfigurationError(
                file: file, line: line,
                sentence: "anchors and aliases (&name, *name) are not allowed; write the value out")
        }
        do {
            // Resolver.basic: what a plain word means is decided by the key, and the default one costs regular
            // expressions for each word. The encoding is named, as its default reads and prints the environment.
            return try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
        } catch {
            throw ConfigurationError(error, file: file)
        }
    }

    /// The line of an alias whose anchor is in the text too. The parser copies what an alias names, and compares
    /// keys by all they hold: ten lines of aliases of aliases would keep it busy for years. Whole-line comments
    /// are skipped; elsewhere, also inside quotes, `&x` together with `*x` is never needed here.
    private static func aliasLine(in text: String) -> Int? {
        guard text.utf8.contains(UInt8(ascii: "&")), text.utf8.contains(UInt8(ascii: "*")) else { return nil }
        var anchors: Set<String> = []
        var aliases: [(name: String, line: Int)] = []
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !isPlainComment(line) {
            anchors.formUnion(names(after: UInt8(ascii: "&"), in: line))
            aliases += names(after: UInt8(ascii: "*"), in: line).map { ($0, index + 1) }
        }
        return aliases.first { anchors.contains($0.name) }?.line
    }

    /// A line that begins with `#` may still hold more than a comment: behind the end of a quoted text, and
    /// behind a carriage return or one of Unicode's line ends.
    private static func isPlainComment(_ line: Substring.UTF8View) -> Bool {
        line.first { $0 != UInt8(ascii: " ") } == UInt8(ascii: "#")
            && line.allSatisfy {
                (32..<127).contains($0) && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\"")
            }
    }

    private static func names(after sigil: UInt8, in line: Substring.UTF8View) -> [String] {
        line.split(separator: sigil, omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            let name = rest.prefix(while: isNameByte)
            return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension ConfigurationError {
    fileprivate init(_ error: any Error, file: String) {
        func invalid(_ problem: String, _ mark: Mark?) -> ConfigurationError {
            ConfigurationError(
                file: file, line: mark?.line, column: mark?.column,
                sentence:
                    "is not YAML (\(problem)); indent with spaces, and quote text with special characters")
        }
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self = invalid(problem, mark)
        case .duplicatedKeysInMapping(let names, let context):
            // A key may hold tabs, and what is told of it is one line.
            let name = names.first.map { String($0.map { $0 < " " ? " " : $0 }) }
            self.init(
                file: file, line: context.mark.line, column: context.mark.column, key: name,
                sentence: "is written twice; keep one")
        case .reader(let problem, let offset, _, let text):
            let lines = offset.map { text.prefix($0).utf8.count { $0 == UInt8(ascii: "\n") } + 1 }
            self = invalid(problem, nil)
            self.line = lines
        default:
            self = invalid("\(error)", nil)
        }
    }
}
