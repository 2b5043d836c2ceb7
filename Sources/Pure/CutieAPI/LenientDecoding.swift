/// Decoding that loses a field rather than the person's message.
extension KeyedDecodingContainer {
    /// The value at `key`, or nil where it is missing, null or of another type.
    func lenient<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }

    func lenient(_ key: Key, as type: String.Type = String.self) -> String? {
        (try? decodeIfPresent(String.self, forKey: key)) ?? nil
    }

    /// Of what is a string on the wire, without the detour of a decoder of its own.
    func lenient<Value: RawRepresentable>(_ key: Key, as type: Value.Type = Value.self) -> Value?
    where Value: Decodable, Value.RawValue == String {
        lenient(key, as: String.self).flatMap(Value.init(rawValue:))
    }

    /// A number of messages or conversations: never so large, nor so far below 0, that a sum of them overflows.
    func lenientCount(_ key: Key) -> Int? {
        ((try? decodeIfPresent(Int.self, forKey: key)) ?? nil).map { min(max(0, $0), 1_000_000_000) }
    }

    /// The elements of the list at `key` that can be decoded, or nil where there is no list.
    func lenientList<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) -> [Value]? {
        lenient(key, as: [Lossy<Value>].self)?.compactMap(\.value)
    }

    /// The elements of the list at `key` that can be decoded; null is an empty list. Throws where there is
    /// none, so that an answer of another kind is not taken for "nothing there".
    func requiredList<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) throws -> [Value] {
        if try decodeNil(forKey: key) { return [] }
        return try decode([Lossy<Value>].self, forKey: key).compactMap(\.value)
    }
}

private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        value = try? Value(from: decoder)
    }
}
