public import FoundationEssentials

/// The JSON encoder and decoder for the API. All code uses these functions instead of Foundation's.
///
/// Foundation limits the nesting to 512 levels, so deep input cannot overflow the stack. The size is not
/// limited, so the code that receives the bytes must limit it.
public enum JSON {
    /// Returns the JSON of `value` with sorted keys, so that equal values have equal bytes.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        Array(try encoder.encode(value))
    }

    /// Decodes `bytes`. Invalid UTF-8 and unpaired surrogates become U+FFFD.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from bytes: some Sequence<UInt8>
    ) throws(UnreadableJSON) -> Value {
        try decode(type, from: Data(bytes))
    }

    /// Decodes `bytes`. Adds discarded parts to `unreadable`, and also the error if decoding throws.
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

    /// Decodes `data`. Invalid UTF-8 and unpaired surrogates become U+FFFD.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
    ) throws(UnreadableJSON) -> Value {
        try decode(type, from: data, with: decoder)
    }

    private static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, with decoder: JSONDecoder
    ) throws(UnreadableJSON) -> Value {
        do {
            return try decoder.decode(type, from: replacingUnpairedSurrogates(data))
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

/// An error for invalid JSON or for JSON with an unexpected structure. Contains the path, but not the value,
/// because the value may be a token or a private message.
public struct UnreadableJSON: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        case notJSON
        case missing
        case wrongType
        /// The value has the expected type but is invalid.
        case badValue
    }

    /// The keys and indexes from the root, such as `events[3].id`; empty for the root.
    public let path: String
    public let problem: Problem

    public init(path: String, problem: Problem) {
        self.path = path
        self.problem = problem
    }

    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Self.pathText(of: context.codingPath + [key]), problem: .missing)
        case .valueNotFound(_, let context):
            self.init(path: Self.pathText(of: context.codingPath), problem: .missing)
        case .typeMismatch(_, let context):
            self.init(path: Self.pathText(of: context.codingPath), problem: .wrongType)
        case .dataCorrupted(let context):
            let path = Self.pathText(of: context.codingPath)
            self.init(path: path, problem: path.isEmpty ? .notJSON : .badValue)
        @unknown default:
            self.init(path: "", problem: .notJSON)
        }
    }

    private static func pathText(of keys: [any CodingKey]) -> String {
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
        case .badValue: "\(path) has an invalid value"
        }
    }
}

/// Replacement of invalid characters. A string may contain invalid UTF-8 or an unpaired surrogate, which
/// JavaScript writes when it truncates a string in the middle of a pair. Foundation would reject the entire
/// document, so a message would be lost.
extension JSON {
    /// Returns `data` with U+FFFD in place of unpaired surrogates and invalid UTF-8; unchanged if `data` is
    /// valid.
    private static func replacingUnpairedSurrogates(_ data: Data) -> Data {
        let (halves, isText) = data.withUnsafeBytes { bytes in
            (unpairedSurrogates(in: bytes), bytes.allSatisfy { $0 < 0x80 } || isUTF8(bytes))
        }
        guard !halves.isEmpty || !isText else { return data }
        var bytes = Array(data)
        for digits in halves { bytes.replaceSubrange(digits, with: "FFFD".utf8) }
        return isText ? Data(bytes) : Data(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns the ranges of the hexadecimal digits in the escapes of unpaired surrogates.
    private static func unpairedSurrogates(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
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

    /// Returns the code unit of the escape `\uXXXX` at `index`; `nil` if there is no such escape at `index`.
    private static func codeUnit(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
