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

    /// The value that `data` holds. What is no character is read as U+FFFD. Throws `UnreadableJSON`.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data
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
