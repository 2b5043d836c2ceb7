/// A single-pass JSON reader for the form that servers usually write. For rare input (an escape in a key, an
/// escaped surrogate, a fraction, a duplicate key), the reader throws `UnsupportedJSON`. The caller then
/// decodes the entire document with `JSON.decode`.
struct JSONCursor: ~Copyable {
    /// The error for JSON that this reader does not support, although the JSON may be valid.
    struct UnsupportedJSON: Error {}

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Creates a cursor. `bytes` must outlive the cursor.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The name of a member as written in the JSON.
    struct Key {
        fileprivate let bytes: UnsafeBufferPointer<UInt8>

        static func ~= (name: StaticString, key: Key) -> Bool {
            key.isSame(as: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }

        fileprivate func isSame(as other: Key) -> Bool { isSame(as: other.bytes) }

        /// Compares the first bytes before all bytes, because most names differ in the first byte.
        private func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
            bytes.first == other.first && bytes.hasSameBytes(as: other)
        }
    }

    /// The names of the members read so far. `add` throws for a duplicate name and for the 17th name.
    private struct Members {
        private var keys = InlineArray<16, Key?>(repeating: nil)
        private var count = 0

        mutating func add(_ key: Key) throws(UnsupportedJSON) {
            guard count < keys.count else { throw UnsupportedJSON() }
            for position in 0..<count where keys[position]?.isSame(as: key) == true {
                throw UnsupportedJSON()
            }
            keys[count] = key
            count += 1
        }
    }

    // MARK: - Values

    /// Reads an object. Calls `member` for each key; `member` must read or skip the value.
    mutating func readObject(
        _ member: (inout JSONCursor, Key) throws(UnsupportedJSON) -> Void
    ) throws(UnsupportedJSON) {
        try consume("{")
        if skipSpaceAndPeek("}") { return advance() }
        var members = Members()
        while true {
            let key = try readKey()
            try members.add(key)
            try consume(":")
            try member(&self, key)
            guard skipSpaceAndPeek(",") else { break }
            advance()
        }
        try consume("}")
    }

    /// Reads a string; `nil` for null.
    mutating func readString() throws(UnsupportedJSON) -> String? {
        if try skipNullIfPresent() { return nil }
        try consume("\"")
        let start = position
        while let byte = byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw UnsupportedJSON() }
            position += 1
        }
        guard byte == UInt8(ascii: "\"") else { return try readEscaped(from: start) }
        defer { advance() }
        return try decodeText(of: bytes[start..<position])
    }

    /// Reads an integer of at most 18 digits, so that it cannot overflow; `nil` for null.
    mutating func readInteger() throws(UnsupportedJSON) -> Int64? {
        if try skipNullIfPresent() { return nil }
        let isNegative = skipSpaceAndPeek("-")
        if isNegative { advance() }
        let start = position
        var value: Int64 = 0
        while let digit = byte.flatMap(Self.digitValue) {
            guard position - start < 18 else { throw UnsupportedJSON() }
            value = value * 10 + Int64(digit)
            advance()
        }
        guard position > start, position - start == 1 || bytes[start] != UInt8(ascii: "0") else {
            throw UnsupportedJSON()
        }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): throw UnsupportedJSON()
        default: return isNegative ? -value : value
        }
    }

    /// Reads a boolean; `nil` for null.
    mutating func readFlag() throws(UnsupportedJSON) -> Bool? {
        if try skipNullIfPresent() { return nil }
        if skipIfNext("true") { return true }
        guard skipIfNext("false") else { throw UnsupportedJSON() }
        return false
    }

    /// Skips a value of any type, at most 16 levels deep.
    mutating func skipValue(depth: Int = 0) throws(UnsupportedJSON) {
        guard depth < 16 else { throw UnsupportedJSON() }
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): _ = try readString()
        case UInt8(ascii: "{"):
            try readObject { (cursor, _) throws(UnsupportedJSON) in try cursor.skipValue(depth: depth + 1) }
        case UInt8(ascii: "["): try skipList(depth: depth)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readFlag()
        default: _ = try readInteger()
        }
    }

    /// Throws if anything except whitespace remains.
    mutating func finish() throws(UnsupportedJSON) {
        skipSpace()
        guard position == bytes.count else { throw UnsupportedJSON() }
    }

    mutating func skipNullIfPresent() throws(UnsupportedJSON) -> Bool {
        skipSpace()
        return skipIfNext("null")
    }
}

// MARK: - Strings, digits and whitespace

extension JSONCursor {
    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() { position += 1 }

    private mutating func skipSpaceAndPeek(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        return byte == UInt8(ascii: sign)
    }

    private mutating func consume(_ sign: Unicode.Scalar) throws(UnsupportedJSON) {
        guard skipSpaceAndPeek(sign) else { throw UnsupportedJSON() }
        advance()
    }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { advance() }
    }

    private mutating func skipIfNext(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard position + count <= bytes.count, bytes[position] == word.utf8Start.pointee else { return false }
        let next = UnsafeBufferPointer(rebasing: bytes[position..<position + count])
        guard next.hasSameBytes(as: UnsafeBufferPointer(start: word.utf8Start, count: count)) else {
            return false
        }
        position += count
        return true
    }

    private mutating func skipList(depth: Int) throws(UnsupportedJSON) {
        try consume("[")
        if skipSpaceAndPeek("]") { return advance() }
        while true {
            try skipValue(depth: depth + 1)
            guard skipSpaceAndPeek(",") else { break }
            advance()
        }
        try consume("]")
    }

    private mutating func readKey() throws(UnsupportedJSON) -> Key {
        try consume("\"")
        let start = position
        while let byte, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { throw UnsupportedJSON() }
            advance()
        }
        let key = Key(bytes: UnsafeBufferPointer(rebasing: bytes[start..<position]))
        try consume("\"")
        return key
    }

    private func decodeText(of bytes: UnsafeBufferPointer<UInt8>.SubSequence) throws(UnsupportedJSON)
        -> String
    {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        // Fast path for ASCII: UTF-8 validation would double the time to parse the event.
        if bytes.reduce(0, |) < 0x80 { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw UnsupportedJSON() }
        return text
    }

    /// Reads a string from its first escape to its closing quote. `start`: the index after the opening quote.
    private mutating func readEscaped(from start: Int) throws(UnsupportedJSON) -> String {
        var plain = Array(bytes[start..<position])
        while let byte {
            advance()
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: plain, as: UTF8.self) else { throw UnsupportedJSON() }
                return text
            case UInt8(ascii: "\\"): plain.append(contentsOf: try readEscape())
            case 0x20...: plain.append(byte)
            default: throw UnsupportedJSON()
            }
        }
        throw UnsupportedJSON()
    }

    private mutating func readEscape() throws(UnsupportedJSON) -> [UInt8] {
        guard let byte else { throw UnsupportedJSON() }
        advance()
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "n"): return [0x0a]
        case UInt8(ascii: "r"): return [0x0d]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0c]
        case UInt8(ascii: "u"): return Array(String(try readScalar()).utf8)
        default: throw UnsupportedJSON()
        }
    }

    /// Reads the four hex digits of a `\u` escape. Throws for a surrogate, even if it is part of a pair.
    private mutating func readScalar() throws(UnsupportedJSON) -> Character {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = byte.flatMap(Self.hexDigitValue) else { throw UnsupportedJSON() }
            value = value << 4 | UInt32(digit)
            advance()
        }
        guard let scalar = Unicode.Scalar(value) else { throw UnsupportedJSON() }
        return Character(scalar)
    }

    private static func digitValue(_ byte: UInt8) -> UInt8? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : nil
    }

    private static func hexDigitValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: digitValue(byte)
        }
    }
}
