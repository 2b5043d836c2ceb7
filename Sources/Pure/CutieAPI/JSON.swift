public import FoundationEssentials

/// The one place where values become JSON and back.
///
/// Foundation refuses more than 512 nested lists and objects by itself, so deep input cannot overrun the
/// stack. It has no limit on size: whoever reads the bytes has one.
public enum JSON {
    /// The bytes of `value`, with its keys sorted so that equal values give equal bytes.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        Array(try encoder.encode(value))
    }

    /// The value that `bytes` hold. What is no character is read as U+FFFD. Throws `UnreadableJSON`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Sequence<UInt8>
    ) throws(UnreadableJSON) -> Value {
        try decode(type, from: Data(bytes))
    }

    /// Returns the value that `bytes` hold, and adds the parts that could not be read to `unreadable`. If it throws, the
    /// whole is one of them.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Sequence<UInt8>, noting unreadable: UnreadableParts?
    ) throws(UnreadableJSON) -> Value {
        guard let unreadable else { return try decode(type, from: bytes) }
        let decoder = JSONDecoder()
        decoder.userInfo[.unreadableParts] = unreadable
        do {
            return try decode(type, from: Data(bytes), with: decoder)
        } catch {
            unreadable.add(error)
            throw error
        }
    }

    /// The value that `data` holds. What is no character is read as U+FFFD. Throws `UnreadableJSON`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(UnreadableJSON) -> Value {
        try decode(type, from: data, with: decoder)
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, with decoder: JSONDecoder
    ) throws(UnreadableJSON) -> Value {
        do {
            return try decoder.decode(type, from: mended(data))
        } catch let error as DecodingError {
            throw UnreadableJSON(error)
        } catch {
            throw UnreadableJSON(path: "", problem: .notJSON)
        }
    }

    private static let decoder = JSONDecoder()
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

/// JSON that is none, or not of the expected shape. Names the place and never repeats what stands there,
/// because that may be a token or a person's words.
public struct UnreadableJSON: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        case notJSON
        case missing
        case wrongType
        /// Of the right type, and out of what its field may hold.
        case badValue
    }

    /// Keys and positions from the top, as in `events[3].id`; empty for the whole.
    public let path: String
    public let problem: Problem

    public init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.path(of: context.codingPath + [key]), problem: .missing)
        case .valueNotFound(_, let context):
            self.init(path: Self.path(of: context.codingPath), problem: .missing)
        case .typeMismatch(_, let context):
            self.init(path: Self.path(of: context.codingPath), problem: .wrongType)
        case .dataCorrupted(let context):
            let path = Self.path(of: context.codingPath)
            self.init(path: path, problem: path.isEmpty ? .notJSON : .badValue)
        @unknown default:
            self.init(path: "", problem: .notJSON)
        }
    }

    private static func path(of keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}

extension UnreadableJSON: CustomStringConvertible {
    public var description: String {
        switch problem {
        case .notJSON: "not valid JSON"
        case .missing: "\(path.isEmpty ? "value" : path) is missing"
        case .wrongType: "\(path.isEmpty ? "value" : path) has the wrong type"
        case .badValue: "\(path) has a value that it cannot have"
        }
    }
}

/// One bad character shall cost only itself. Foundation refuses a string that holds half of a surrogate pair,
/// which JavaScript writes where it cuts a text, or bytes that are not UTF-8: the person's words would be lost.
extension JSON {
    /// `data` with U+FFFD in the place of what is no character; the same where all are.
    private static func mended(_ data: Data) -> Data {
        let (halves, isText) = data.withUnsafeBytes { bytes in
            (halfPairs(in: bytes), bytes.allSatisfy { $0 < 0x80 } || isUTF8(bytes))
        }
        guard !halves.isEmpty || !isText else { return data }
        var bytes = Array(data)
        for digits in halves { bytes.replaceSubrange(digits, with: "FFFD".utf8) }
        return isText ? Data(bytes) : Data(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// Where the digits of the escapes are that stand for half of a character.
    private static func halfPairs(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var halves: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let unit = codeUnit(at: index, of: bytes)
            let isWhole =
                unit.map(UTF16.isLeadSurrogate) == true
                && codeUnit(at: index + 6, of: bytes).map(UTF16.isTrailSurrogate) == true
            if let unit, !isWhole, UTF16.isSurrogate(unit) { halves.append(index + 2..<index + 6) }
            index += isWhole ? 12 : unit == nil ? 2 : 6
        }
        return halves
    }

    /// The code unit of the escape `\uXXXX` that begins at `index`; nil where none does.
    private static func codeUnit(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
