import JSONReading
import YAML

/// A converter from YAML to the tree of a JSON document.
enum YAMLJSONConverter {
    static func convert(_ bytes: [UInt8]) throws(ServiceDescription.ParseError) -> JSONValue {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        let limits = YAMLLimits(
            depth: ServiceDocumentParser.depthLimit, nodes: ServiceDocumentParser.valueLimit)
        let root: YAMLNode?
        do { root = try YAMLNode.parse(text.utf8.span, limits: limits) } catch {
            throw ServiceDescription.ParseError(error.reason)
        }
        guard let root else { throw .empty }
        return convertNode(root, isTyped: false)
    }

    /// Converts a node.
    ///
    /// - Parameter isTyped: whether unquoted numbers and booleans keep their type, as in settings. If not,
    ///   these values become strings, so that `apiVersion: 1.10` remains `1.10`.
    private static func convertNode(_ node: YAMLNode, isTyped: Bool) -> JSONValue {
        switch node.content {
        case .scalar(let text, let isPlain):
            return isPlain ? convertScalar(text, isTyped: isTyped) : .string(text)
        case .sequence(let nodes): return .array(nodes.map { convertNode($0, isTyped: isTyped) })
        case .mapping(let members, _):
            var values: [String: JSONValue] = [:]
            for member in members {
                let isTyped = isTyped || member.key == ServiceDescription.settingsKey
                values[member.key] = convertNode(member.value, isTyped: isTyped)
            }
            return .object(values)
        }
    }

    /// Converts an unquoted scalar according to the core schema of YAML. Hexadecimal and infinite numbers
    /// remain strings, because JSON has no such numbers.
    private static func convertScalar(_ text: String, isTyped: Bool) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return isTyped ? .bool(true) : .string(text)
        case "false", "False", "FALSE": return isTyped ? .bool(false) : .string(text)
        default:
            let isNumber = isTyped && text.utf8.allSatisfy([UInt8]("0123456789+-.eE".utf8).contains)
            return isNumber ? JSONValue(number: text) ?? .string(text) : .string(text)
        }
    }
}

extension ServiceDescription.ParseError {
    fileprivate init(_ reason: YAMLError.Problem) {
        self =
            switch reason {
            case .syntax, .secondDocument: .notYAML
            case .alias: .aliases
            case .duplicateKey: .duplicateKey
            case .nonStringKey: .unexpectedStructure
            case .tooDeep: .tooDeep
            case .tooManyNodes: .tooManyValues
            }
    }
}
