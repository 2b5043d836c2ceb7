// Lenient decoding of values from the server. Some servers write counts, times and flags as strings, and IDs
// as numbers, so every unambiguous form is accepted. A field that cannot be decoded is skipped, and the error
// is recorded.

extension KeyedDecodingContainer {
    /// Returns the value at `key`; `nil` if it is missing, null or invalid.
    package func decodeIfReadable<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        readIfPresent(key) { try $0.decode(Value.self, forKey: key) }
    }

    package func decodeIfReadable(_ key: Key, as type: String.Type = String.self) -> String? {
        readIfPresent(key) { try $0.decode(String.self, forKey: key) }
    }

    /// Returns an ID; an integer is converted to its decimal digits.
    func decodeIDIfReadable(_ key: Key) -> String? {
        readIfPresent(key) { try $0.decode(LenientID.self, forKey: key).value }
    }

    package func decodeIfReadable(_ key: Key, as type: Int.Type = Int.self) -> Int? {
        readIfPresent(key) { try $0.decode(LenientInteger.self, forKey: key).value }
    }

    package func decodeIfReadable(_ key: Key, as type: Double.Type = Double.self) -> Double? {
        readIfPresent(key) { try $0.decode(LenientNumber.self, forKey: key).value }
    }

    package func decodeIfReadable(_ key: Key, as type: Bool.Type = Bool.self) -> Bool? {
        readIfPresent(key) { try $0.decode(LenientBool.self, forKey: key).value }
    }

    /// Returns the value of an open enum. Decodes the value as a string, which avoids the cost of a nested
    /// decoder.
    package func decodeIfReadable<Value: RawRepresentable>(_ key: Key, as type: Value.Type = Value.self)
        -> Value?
    where Value: Decodable, Value.RawValue == String {
        decodeIfReadable(key, as: String.self).flatMap(Value.init(rawValue:))
    }

    func decodeIfReadable<Subject>(_ key: Key, as type: Identifier<Subject>.Type = Identifier<Subject>.self)
        -> Identifier<Subject>?
    {
        decodeIDIfReadable(key).map(Identifier.init(rawValue:))
    }

    /// Returns a count of messages or conversations, limited to the range from 0 to 1,000,000,000, so that
    /// sums cannot overflow.
    package func decodeCountIfReadable(_ key: Key) -> Int? {
        decodeIfReadable(key, as: Int.self).map(\.boundedCount)
    }

    /// Returns a dictionary of counts with the server's keys; skips invalid counts.
    func decodeValidCounts(forKey key: Key) -> [String: Int] {
        let counts = decodeIfReadable(key, as: [String: Lossy<LenientInteger>].self) ?? [:]
        return counts.compactMapValues { $0.value?.value.boundedCount }
    }

    /// Returns the valid elements of the list at `key`; `nil` if there is no list.
    package func decodeListIfReadable<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self)
        -> [Value]?
    {
        decodeIfReadable(key, as: [Lossy<Value>].self)?.compactMap(\.value)
    }

    /// Returns the valid elements of the list at `key`; an empty list for null. Throws if there is no list:
    /// an unrelated response must not be treated as an empty list.
    package func decodeRequiredList<Value: Decodable>(_ key: Key, of type: Value.Type = Value.self) throws
        -> [Value]
    {
        if try decodeNil(forKey: key) { return [] }
        return try decode([Lossy<Value>].self, forKey: key).compactMap(\.value)
    }

    func decodeRequiredID(_ key: Key) throws -> String { try decode(LenientID.self, forKey: key).value }

    func decodeRequiredFlag(_ key: Key) throws -> Bool { try decode(LenientBool.self, forKey: key).value }

    private func readIfPresent<Value>(_ key: Key, _ read: (Self) throws -> Value) -> Value? {
        do {
            guard contains(key), try !decodeNil(forKey: key) else { return nil }
            return try read(self)
        } catch {
            try? superDecoder(forKey: key).recordUnreadablePart(error: error)
            return nil
        }
    }
}

extension SingleValueDecodingContainer {
    /// Returns an ID; an integer is converted to its decimal digits.
    func decodeID() throws -> String {
        do { return try decode(String.self) } catch DecodingError.typeMismatch {
            return try String(decode(Int64.self))
        }
    }
}

extension Int {
    /// The count, limited to the range from 0 to 1,000,000,000.
    var boundedCount: Int { Swift.min(Swift.max(0, self), 1_000_000_000) }
}

/// A list element; `value` is `nil` if the element cannot be decoded, so that decoding continues with the
/// next element.
private struct Lossy<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        do { value = try Value(from: decoder) } catch {
            decoder.recordUnreadablePart(error: error)
            value = nil
        }
    }
}

// MARK: - Values

private struct LenientID: Decodable {
    let value: String

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decodeID() }
}

/// A number, possibly written as a string.
struct LenientNumber: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
        } else if let number = Self.parseNumber(try container.decode(String.self)) {
            value = number
        } else {
            throw DecodingError.invalidValueError(in: decoder)
        }
    }

    /// Parses a finite number; returns `nil` for forms that `Double` accepts but JSON does not, such as `nan`
    /// or `.5`.
    static func parseNumber(_ text: String) -> Double? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "-.eE+".utf8.contains($0) }
        guard isNumber, text.first != "+", text.first != ".", text.last != ".", let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }
}

/// An integer, possibly written as a string. `3.0` is accepted as 3.
struct LenientInteger: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            value = number
        } else if let text = try? container.decode(String.self), let number = Int(text), text.first != "+" {
            value = number
        } else if let number = Int(exactly: try LenientNumber(from: decoder).value) {
            value = number
        } else {
            throw DecodingError.invalidValueError(in: decoder)
        }
    }
}

/// A boolean, possibly written as a string, or as 0 or 1.
private struct LenientBool: Decodable {
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
        default: throw DecodingError.invalidValueError(in: decoder)
        }
    }
}

extension DecodingError {
    /// Returns an error for a value that has the expected type but is invalid.
    static func invalidValueError(in decoder: any Decoder) -> DecodingError {
        .typeMismatch(Any.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
    }
}
