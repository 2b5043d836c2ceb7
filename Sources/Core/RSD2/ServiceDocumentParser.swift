import CutieAPI
import Varlink

/// The parser that builds a tree from a JSON or YAML description, with limits.
enum ServiceDocumentParser {
    /// The maximum nesting depth of lists and objects.
    static let depthLimit = 32
    /// The maximum number of values and keys. A service with 1024 protocols has a few thousand values and
    /// keys.
    static let valueLimit = 16_384
    /// The maximum length of a display name in bytes.
    static let maxNameLength = 256

    /// Parses JSON or YAML, depending on the first byte that is not white space.
    static func parseRoot(
        of bytes: [UInt8]
    ) throws(ServiceDescription.Unreadable) -> [String: JSONValue] {
        let text = try checkedText(bytes)
        let value =
            text.first == UInt8(ascii: "{")
            ? try JSONTree.parse(text) : try YAMLJSONConverter.convert(text)
        guard case .object(let members) = value else { throw .unexpectedStructure }
        // In the specification, the YAML example wraps the description in `service`; the JSON example does
        // not.
        return members["apis"] == nil ? members["service"]?.members ?? members : members
    }

    static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    }

    /// Returns the document without a byte order mark and, if it is JSON, without leading white space.
    static func checkedText(_ bytes: [UInt8]) throws(ServiceDescription.Unreadable) -> [UInt8] {
        guard bytes.count <= ServiceDescription.sizeLimit else { throw .tooLarge }
        let rest = withoutByteOrderMark(bytes)
        guard let first = rest.first(where: { !isSpace($0) }) else { throw .empty }
        guard first != UInt8(ascii: "<") else { throw .xml }
        // The indentation of the first line is significant in YAML.
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            ? Array(rest.drop(while: isSpace)) : Array(rest)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Removes surrounding white space, which documents that were converted from XML contain.
    static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(
            rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }

    /// Returns `text` if it is a valid display name; otherwise `nil`.
    static func nonEmptyName(_ text: String) -> String? {
        (1...maxNameLength).contains(text.utf8.count) && DisplayName.isReadable(text) ? text : nil
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}
