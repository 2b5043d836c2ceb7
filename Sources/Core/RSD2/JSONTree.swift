import CutieAPI
import Varlink

/// A parser that builds a tree from JSON (RFC 8259). Foundation's decoder is not suitable: it is slow for
/// values of unknown type, because it tries every type, and it accepts duplicate keys.
struct JSONTree {
    private var text: JSONText
    private var count = 0

    /// Parses `bytes`; throws if other text follows the value.
    static func parse(_ bytes: [UInt8]) throws(ServiceDescription.Unreadable) -> JSONValue {
        var tree = JSONTree(text: JSONText(bytes))
        let value = try tree.parseValue(depth: 0)
        tree.text.skipSpaces()
        guard tree.text.isAtEnd else { throw .notJSON }
        return value
    }

    private init(text: JSONText) { self.text = text }

    private mutating func parseValue(depth: Int) throws(ServiceDescription.Unreadable) -> JSONValue {
        guard depth <= ServiceDocumentParser.depthLimit else { throw .tooDeep }
        try countValue()
        text.skipSpaces()
        switch text.next {
        case UInt8(ascii: "{"): return .object(try parseObject(depth: depth))
        case UInt8(ascii: "["): return .array(try parseList(depth: depth))
        case UInt8(ascii: "\""): return .string(try parseString())
        default: return try parseLiteral()
        }
    }

    private mutating func parseObject(depth: Int) throws(ServiceDescription.Unreadable) -> [String: JSONValue]
    {
        var members: [String: JSONValue] = [:]
        _ = text.skipIfNext(UInt8(ascii: "{"))
        text.skipSpaces()
        if text.skipIfNext(UInt8(ascii: "}")) { return members }
        repeat {
            text.skipSpaces()
            try countValue()
            let key = try parseString()
            text.skipSpaces()
            guard text.skipIfNext(UInt8(ascii: ":")) else { throw .notJSON }
            guard members.updateValue(try parseValue(depth: depth + 1), forKey: key) == nil else {
                throw .duplicateKey
            }
            text.skipSpaces()
        } while text.skipIfNext(UInt8(ascii: ","))
        guard text.skipIfNext(UInt8(ascii: "}")) else { throw .notJSON }
        return members
    }

    private mutating func parseList(depth: Int) throws(ServiceDescription.Unreadable) -> [JSONValue] {
        var values: [JSONValue] = []
        _ = text.skipIfNext(UInt8(ascii: "["))
        text.skipSpaces()
        if text.skipIfNext(UInt8(ascii: "]")) { return values }
        repeat {
            values.append(try parseValue(depth: depth + 1))
            text.skipSpaces()
        } while text.skipIfNext(UInt8(ascii: ","))
        guard text.skipIfNext(UInt8(ascii: "]")) else { throw .notJSON }
        return values
    }

    private mutating func parseString() throws(ServiceDescription.Unreadable) -> String {
        let start = text.index
        do { try text.skipString() } catch { throw .notJSON }
        let written = text.bytes[start..<text.index]
        guard written.contains(UInt8(ascii: "\\")) else {
            return String(decoding: written.dropFirst().dropLast(), as: UTF8.self)
        }
        do { return try JSON.decode(String.self, from: written) } catch { throw .notJSON }
    }

    private mutating func parseLiteral() throws(ServiceDescription.Unreadable) -> JSONValue {
        let start = text.index
        do { try text.skipWord() } catch { throw .notJSON }
        switch String(decoding: text.bytes[start..<text.index], as: UTF8.self) {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case let number:
            guard let value = JSONValue(number: number) else { throw .notJSON }
            return value
        }
    }

    private mutating func countValue() throws(ServiceDescription.Unreadable) {
        count += 1
        guard count <= ServiceDocumentParser.valueLimit else { throw .tooManyValues }
    }
}

extension JSONValue {
    /// Creates a number; `nil` if `text` fits neither an integer nor a floating-point type.
    init?(number text: String) {
        if let value = Int64(text) {
            self = .int(value)
        } else if let value = Double(text), value.isFinite {
            self = Int64(exactly: value).map(JSONValue.int) ?? .float(value)
        } else {
            return nil
        }
    }
}
