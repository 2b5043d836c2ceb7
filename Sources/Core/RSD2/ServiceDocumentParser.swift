import CutieAPI
import JSONReading

/// A parser that builds a tree from a description in JSON or YAML, and limits the size of the tree.
enum ServiceDocumentParser {
    /// The maximum nesting depth of lists and objects.
    static let depthLimit = 32
    /// The maximum number of values and keys. The limit is high: a service with 1024 protocols has only a
    /// few thousand.
    static let valueLimit = 16_384
    /// The maximum length of a display name in bytes.
    static let maxNameLength = 256

    /// Parses JSON or YAML, depending on the first byte that is not white space.
    static func parseRoot(
        of bytes: [UInt8]
    ) throws(ServiceDescription.ParseError) -> [String: JSONValue] {
        let text = try checkedDocument(bytes)
        let value =
            text.first == UInt8(ascii: "{")
            ? try parseJSON(text) : try YAMLJSONConverter.convert(text)
        guard case .object(let members) = value else { throw .unexpectedStructure }
        // Accept both forms: in the specification, the YAML example has a top-level key `service`, but the
        // JSON example does not.
        return members["apis"] == nil ? members["service"]?.members ?? members : members
    }

    private static func parseJSON(_ text: [UInt8]) throws(ServiceDescription.ParseError) -> JSONValue {
        do { return try JSONValue(parsing: text, depthLimit: depthLimit, valueLimit: valueLimit) } catch {
            switch error {
            case .notJSON, .unusual: throw .notJSON
            case .tooDeep: throw .tooDeep
            case .tooManyValues: throw .tooManyValues
            case .duplicateKey: throw .duplicateKey
            }
        }
    }

    static func removingByteOrderMark(from bytes: [UInt8]) -> ArraySlice<UInt8> {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    }

    /// Returns the document without a byte order mark and, if it is JSON, without leading white space.
    static func checkedDocument(_ bytes: [UInt8]) throws(ServiceDescription.ParseError) -> [UInt8] {
        guard bytes.count <= ServiceDescription.sizeLimit else { throw .tooLarge }
        let rest = removingByteOrderMark(from: bytes)
        guard let first = rest.first(where: { !isSpace($0) }) else { throw .empty }
        guard first != UInt8(ascii: "<") else { throw .xml }
        // Keep white space at the start of YAML, because the indentation of the first line is significant.
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            ? Array(rest.drop(while: isSpace)) : Array(rest)
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Removes white space at the start and the end, which documents converted from XML contain.
    static func trimmed(_ text: String) -> String {
        let rest = text.drop(while: \.isWhitespace)
        return String(
            rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }

    /// Returns `text` if it is a valid display name; otherwise `nil`.
    static func validName(_ text: String) -> String? {
        (1...maxNameLength).contains(text.utf8.count) && DisplayName.isReadable(text) ? text : nil
    }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var members: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
}
