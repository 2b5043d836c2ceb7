import FoundationEssentials

/// Values to JSON text and back, the way every message here is written.
enum JSON {
    static let emptyObject = Array("{}".utf8)

    /// Keys are sorted, so that the same reply is the same text for a script that compares.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from text: some Sequence<UInt8>) throws -> Value
    {
        try JSONDecoder().decode(type, from: Data(text))
    }

    /// `text` as a JSON string, quotes included.
    static func quoted(_ text: String) -> [UInt8] {
        (try? encode(text)) ?? Array("\"\"".utf8)
    }
}
