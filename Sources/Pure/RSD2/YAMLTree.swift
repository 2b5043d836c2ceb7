import Varlink
import Yams

/// YAML as the same tree that JSON gives.
struct YAMLTree {
    private var count = 0

    static func value(of bytes: [UInt8]) throws(ServiceDescription.Unreadable) -> JSONValue {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        guard !text.utf8.contains(0) else { throw .notYAML }
        try checkSize(of: text.utf8)
        guard !hasAlias(text.utf8) else { throw .aliases }
        let root: Node?
        // Resolver.basic: the default one costs regular expressions for each word. The encoding is named, as its
        // default reads the environment.
        do { root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot() } catch {
            if case .duplicatedKeysInMapping? = error as? YamlError { throw .doubledKey }
            throw .notYAML
        }
        guard let root else { throw .empty }
        var tree = YAMLTree()
        return try tree.value(of: root, isTyped: false, depth: 0)
    }

    /// The parser has no limit on what it makes of a text, which is a hundred times as large. In front of each value
    /// but the first one stands such a byte.
    private static func checkSize(of text: String.UTF8View) throws(ServiceDescription.Unreadable) {
        let count = text.count { byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "?"),
                UInt8(ascii: "["), UInt8(ascii: "{"), 0x0A, 0x0D:
                true
            default: false
            }
        }
        guard count <= 4 * Document.valueLimit else { throw .tooManyValues }
    }

    /// Whether an alias is there whose anchor is, too. The parser copies what an alias names, and compares keys by
    /// all they hold: ten lines of aliases of aliases would keep it busy for years. Text that only looks like
    /// both is refused, too.
    private static func hasAlias(_ text: String.UTF8View) -> Bool {
        guard text.contains(UInt8(ascii: "&")), text.contains(UInt8(ascii: "*")) else { return false }
        let anchors = Set(names(after: UInt8(ascii: "&"), in: text))
        return names(after: UInt8(ascii: "*"), in: text).contains(where: anchors.contains)
    }

    private static func names(after sigil: UInt8, in text: String.UTF8View) -> [String] {
        text.split(separator: sigil, omittingEmptySubsequences: false).dropFirst().compactMap { rest in
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

    /// `isTyped`: numbers and truths are such. Outside of settings every word is a text: `apiVersion: 1.10` is no
    /// number.
    private mutating func value(
        of node: Node, isTyped: Bool, depth: Int
    ) throws(ServiceDescription.Unreadable) -> JSONValue {
        guard depth <= Document.depthLimit else { throw .tooDeep }
        count += 1
        guard count <= Document.valueLimit else { throw .tooManyValues }
        switch node {
        case .scalar(let scalar): return Self.value(of: scalar, isTyped: isTyped)
        case .sequence(let sequence):
            var values: [JSONValue] = []
            for element in sequence {
                values.append(try value(of: element, isTyped: isTyped, depth: depth + 1))
            }
            return .array(values)
        case .mapping(let mapping): return try value(of: mapping, isTyped: isTyped, depth: depth)
        case .alias: throw .aliases
        }
    }

    private mutating func value(
        of mapping: Node.Mapping, isTyped: Bool, depth: Int
    ) throws(ServiceDescription.Unreadable) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (key, node) in mapping {
            guard let name = key.scalar?.string else { throw .otherShape }
            let isTyped = isTyped || name == ServiceDescription.settingsKey
            let value = try value(of: node, isTyped: isTyped, depth: depth + 1)
            guard members.updateValue(value, forKey: name) == nil else { throw .doubledKey }
        }
        return .object(members)
    }

    /// By YAML's core schema, of which JSON has no hexadecimal and infinite numbers.
    private static func value(of scalar: Node.Scalar, isTyped: Bool) -> JSONValue {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
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
