extension JSONValue {
    /// Parses JSON. Reads each value once and throws for duplicate keys, unlike Foundation's decoder, which
    /// tries every type for every value.
    ///
    /// - Parameters:
    ///   - depthLimit: the maximum nesting depth of a value; the outermost value has the depth 0.
    ///   - valueLimit: the maximum number of values and keys.
    package init(parsing bytes: [UInt8], depthLimit: Int, valueLimit: Int) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var cursor = JSONCursor(bytes)
            var reader = JSONTreeReader(remaining: valueLimit)
            let value = try reader.readValue(from: &cursor, maxDepth: depthLimit)
            try cursor.expectEnd()
            return value
        }
    }

    /// Creates an integer, or a floating-point number if the value is not an integer or exceeds 64 bits;
    /// `nil` if `text` is not a finite number.
    package init?(number text: String) {
        if let value = Int64(text) {
            self = .int(value)
        } else if let value = Double(text), value.isFinite {
            self = Int64(exactly: value).map(JSONValue.int) ?? .float(value)
        } else {
            return nil
        }
    }
}

private struct JSONTreeReader {
    /// The number of values and keys that may still be read.
    var remaining: Int

    mutating func readValue(from cursor: inout JSONCursor, maxDepth: Int) throws(JSONError) -> JSONValue {
        guard maxDepth >= 0 else { throw .tooDeep }
        try countValue()
        cursor.skipSpaces()
        switch cursor.next {
        case UInt8(ascii: "{"): return try readObject(from: &cursor, maxDepth: maxDepth)
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            try cursor.readList { (cursor) throws(JSONError) in
                values.append(try readValue(from: &cursor, maxDepth: maxDepth - 1))
            }
            return .array(values)
        case UInt8(ascii: "\""): return .string(try cursor.readString())
        default: return try readUnquotedValue(from: &cursor)
        }
    }

    private mutating func readObject(from cursor: inout JSONCursor, maxDepth: Int) throws(JSONError)
        -> JSONValue
    {
        var members: [String: JSONValue] = [:]
        try cursor.readObject { (cursor, key) throws(JSONError) in
            try countValue()
            let value = try readValue(from: &cursor, maxDepth: maxDepth - 1)
            guard members.updateValue(value, forKey: key.text) == nil else { throw .duplicateKey }
        }
        return .object(members)
    }

    private func readUnquotedValue(from cursor: inout JSONCursor) throws(JSONError) -> JSONValue {
        switch try cursor.readUnquotedValue() {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case let number:
            guard let value = JSONValue(number: number) else { throw .notJSON }
            return value
        }
    }

    private mutating func countValue() throws(JSONError) {
        remaining -= 1
        guard remaining >= 0 else { throw .tooManyValues }
    }
}
