package import FoundationEssentials

/// The encoder and decoder of `Codable` types; other code must not use Foundation's encoder and decoder
/// directly.
///
/// Foundation rejects more than 512 nested lists and objects, so deep input cannot overflow the stack. The
/// size is not limited: the code that receives the bytes must limit it.
package enum JSONCoding {
    package static let emptyObject = Array("{}".utf8)

    /// Returns the JSON of `value` with sorted keys, so that equal values have equal bytes, and scripts can
    /// compare replies as text.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        Array(try encoder.encode(value))
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type, from text: some Sequence<UInt8>
    ) throws -> Value {
        // Avoid `Data(text)` if possible: at run time, it searches the protocol conformances of the program,
        // which is slow.
        let data = text.withContiguousStorageIfAvailable { Data(buffer: $0) } ?? Data(text)
        return try decode(type, data: data)
    }

    /// Decodes `data`. `context`: the `userInfo` of the decoder.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, data: Data, context: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        guard !context.isEmpty else { return try decoder.decode(type, from: data) }
        let decoder = JSONDecoder()
        decoder.userInfo = context
        return try decoder.decode(type, from: data)
    }

    /// Returns `text` as a JSON string, including quotes.
    package static func quoted(_ text: String) -> [UInt8] {
        (try? encode(text)) ?? Array("\"\"".utf8)
    }

    private static let decoder = JSONDecoder()
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

/// Replacement of invalid characters. Foundation rejects the entire document if a string contains invalid
/// UTF-8 or an unpaired surrogate, and the message would be lost. JavaScript writes unpaired surrogates when
/// it truncates a string.
extension JSONCoding {
    /// Returns `data` with U+FFFD in place of unpaired surrogates and invalid UTF-8; unchanged if `data` is
    /// valid.
    package static func replacingInvalidCharacters(in data: Data) -> Data {
        let (halves, isText) = data.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                (unpairedSurrogateRanges(in: bytes), bytes.allSatisfy { $0 < 0x80 } || isUTF8(bytes))
            }
        }
        guard !halves.isEmpty || !isText else { return data }
        var bytes = Array(data)
        for digits in halves { bytes.replaceSubrange(digits, with: "FFFD".utf8) }
        return isText ? Data(bytes) : Data(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns the ranges of the hex digits in escape sequences of unpaired surrogates.
    private static func unpairedSurrogateRanges(in bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var halves: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let unit = JSONCursor.codeUnit(at: index, in: bytes)
            let isWhole =
                unit.map(UTF16.isLeadSurrogate) == true
                && JSONCursor.codeUnit(at: index + 6, in: bytes).map(UTF16.isTrailSurrogate) == true
            if let unit, !isWhole, UTF16.isSurrogate(unit) { halves.append(index + 2..<index + 6) }
            index += isWhole ? 12 : unit == nil ? 2 : 6
        }
        return halves
    }
}
