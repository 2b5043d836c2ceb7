import Reasons
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

    fileprivate static func reason(for problem: YAMLError.Problem) -> Reason {
        switch problem {
        case .syntax(let message): Reason(.configNotYAML, ["detail": " (\(message))"])
        case .secondDocument: Reason(.configNotYAML, ["detail": " (found another document)"])
        case .alias: Reason(.configAliases)
        case .duplicateKey: Reason(.keyDuplicate)
        case .nonStringKey: Reason(.keyNotText)
        case .tooDeep: Reason(.configTooDeep, ["limit": "\(limits.depth)"])
        case .tooManyNodes: Reason(.configTooManyValues, ["limit": "\(limits.nodes)"])
        }
    }
}

extension ConfigurationError {
    fileprivate init(_ error: YAMLError, file: String) {
        var key: String?
        // A YAML key may contain tabs, but an error must be one line without control characters.
        if case .duplicateKey(let name) = error.reason { key = String(name.map { $0 < " " ? " " : $0 }) }
        self.init(
            file: file, line: error.mark.line, column: error.mark.column, key: key,
            problem: YAMLDocument.reason(for: error.reason))
    }
}
