import YAML

/// The parser of config files, with limits for the nesting depth and the number of values.
enum YAMLDocument {
    /// No valid config file reaches these limits: known keys are nested at most five levels deep, and 1024
    /// rules with long lists contain about 10,000 values.
    private static let limits = YAMLLimits(depth: 32, nodes: 1 << 16)

    /// Returns the root node; `nil` if the file contains no values.
    static func parseRoot(of text: String, file: String) throws(ConfigurationError) -> YAMLNode? {
        do {
            return try YAMLNode.parse(text.utf8.span, limits: limits)
        } catch {
            throw ConfigurationError(error, file: file)
        }
    }

    /// Returns a message that describes the mistake and how to correct it.
    fileprivate static func message(_ reason: YAMLError.Problem) -> String {
        switch reason {
        case .syntax(let problem): invalidMessage(problem)
        case .secondDocument: invalidMessage("found another document")
        case .alias: "anchors and aliases (&name, *name) are not allowed; write the value out"
        case .duplicateKey: "is set twice; remove one"
        case .nonStringKey: "has a list or a group as a key; write a single text before the colon"
        case .tooDeep: "is nested deeper than \(limits.depth) levels; this is not a config file"
        case .tooManyNodes: "contains more than \(limits.nodes) values; this is not a config file"
        }
    }

    private static func invalidMessage(_ problem: String) -> String {
        "is not valid YAML (\(problem)); indent with spaces, and quote text with special characters"
    }
}

extension ConfigurationError {
    fileprivate init(_ error: YAMLError, file: String) {
        var key: String?
        // A YAML key may contain tabs, but an error must be one line without control characters.
        if case .duplicateKey(let name) = error.reason { key = String(name.map { $0 < " " ? " " : $0 }) }
        self.init(
            file: file, line: error.mark.line, column: error.mark.column, key: key,
            sentence: YAMLDocument.message(error.reason))
    }
}
