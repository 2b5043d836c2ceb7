// The one place that decides what a value of the wire may look like. Servers write counts, times and flags as text, and
// ids as numbers: what has only one meaning is accepted. A field that cannot be read costs only itself and is noted.

extension KeyedDecodingContainer {
    /// Returns the value at `key`; `nil` if it is missing, null or unreadable.
    package func lenient<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        optional(key) { try $0.decode(Value.self, forKey: key) }
    }

    package func lenient(_ key: Key, as type: String.Type = String.self) -> String? {
        optional(key) { try $0.decode(String.self, forKey: key) }
    }

    /// Returns an id; a whole number is its digits.
    func lenientID(_ key: Key) -> String? { optional(key) { try $0.decode(WireID.self, forKey: key).value } }

    package func lenient(_ key: Key, as type: Int.Type = Int.self) -> Int? {
        optional(key) { try $0.decode(WireInteger.self, forKey: key).value }
    }

    package func lenient(_ key: Key, as type: Double.Type = Double.self) -> Double? {
        optional(key) { try $0.decode(WireNumber.self, forKey: key).value }
    }

    package func lenient(_ key: Key, as type: Bool.Type = Bool.self) -> Bool? {
        optional(key) { try $0.decode(WireFlag.self, forKey: key).value }
    }

    /// Returns a word of an open list, without a decoder of its own.
    package func lenient<Value: RawRepresentable>(_ key: Key, as type: Value.Type = Value.self) -> Value?
    where Value: Decodable, Value.RawValue == String {
        lenient(key, as: String.self).flatMap(Value.init(rawValue:))
    }

    func lenient<Subject>(_ key: Key, as type: Identifier<Subject>.Type = Identifier<Subject>.self)
        -> Identifier<Subject>?
    {
        lenientID(key).map(Identifier.init(rawValue:))
    }

    /// Returns a number of messages or conversations: never so large, nor so far below 0, that a sum of them overflows.
    package func lenientCount(_ key: Key) -> Int? { lenient(key, as: Int.self).map(\.boundedCount) }

    /// Returns the counts of an object whose keys are the server's; those that cannot be read are left out.
    func lenientCounts(_ key: Key) -> [String: Int] {
        let counts = lenient(key, as: [String: Lossy<WireInteger>].self) ?? [:]
        return counts.compactMapValues { $0.value?.value.boundedCount }
    }

    /// Returns the elements of the list at `key` that can be decoded, or `nil` if there is no list.
    package func lenientList<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) -> [Value]? {
        lenient(key, as: [Lossy<Value>].self)?.compactMap(\.value)
    }

    /// Returns the elements of the list at `key` that can be decoded; null is an empty list. Throws if there is none, so
    /// that an answer of another kind does not count as an empty one.
    package func requiredList<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) throws
        -> [Value]
    {
        if try decodeNil(forKey: key) { return [] }
        return try decode([Lossy<Value>].self, forKey: key).compactMap(\.value)
    }

    func requiredID(_ key: Key) throws -> String { try decode(WireID.self, forKey: key).value }

    func requiredFlag(_ key: Key) throws -> Bool { try decode(WireFlag.self, forKey: key).value }

    private func optional<Value>(_ key: Key, _ read: (Self) throws -> Value) -> Value? {
        do {
            guard contains(key), try !decodeNil(forKey: key) else { return nil }
            return try read(self)
        } catch {
            try? superDecoder(forKey: key).note(error)
            return nil
        }
    }
}

extension SingleValueDecodingContainer {
    /// Returns an id; a whole number is its digits.
    func decodeID() throws -> String {
        do { return try decode(String.self) } catch DecodingError.typeMismatch {
            return try String(decode(Int64.self))
        }
    }
}

extension Int {
    /// Within the bounds of `lenientCount`.
    var boundedCount: Int { Swift.min(Swift.max(0, self), 1_000_000_000) }
}

/// An element of a list, or `nil` if it cannot be read.
private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        do { value = try Value(from: decoder) } catch {
            decoder.note(error)
            value = nil
        }
    }
}

// MARK: - Values

private struct WireID: Decodable {
    let value: String

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decodeID() }
}

/// A number, or the text of one.
struct WireNumber: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
        } else if let number = Self.number(try container.decode(String.self)) {
            value = number
        } else {
            throw DecodingError.badValue(decoder)
        }
    }

    /// The number that a text is in JSON's form, within what a `Double` holds.
    static func number(_ text: String) -> Double? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "-.eE+".utf8.contains($0) }
        guard isNumber, text.first != "+", text.first != ".", text.last != ".", let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }
}

/// A whole number, or the text of one. `3.0` is 3.
struct WireInteger: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = number
        } else if let text = try? container.decode(String.self), let number = Int(text), text.first != "+" {
            value = number
        } else if let number = Int(exactly: try WireNumber(from: decoder).value) {
            value = number
        } else {
            throw DecodingError.badValue(decoder)
        }
    }
}

/// A flag, its word, or 0 and 1.
private struct WireFlag: Decodable {
    let value: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = flag
            return
        }
        let word = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
        switch word.lowercased() {
        case "true", "1": value = true
        case "false", "0": value = false
        default: throw DecodingError.badValue(decoder)
        }
    }
}

extension DecodingError {
    /// A value of the right type that means nothing.
    static func badValue(_ decoder: any Decoder) -> DecodingError {
        .typeMismatch(Any.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
    }
}
