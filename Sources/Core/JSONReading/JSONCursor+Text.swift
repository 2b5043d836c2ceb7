import Glibc

extension JSONCursor {
    /// The name of a member of an object.
    package struct Key {
        /// The bytes of the name between the quotes.
        let written: UnsafeBufferPointer<UInt8>
        let isEscaped: Bool

        /// The name of the member, with its escape sequences replaced.
        package var text: String { JSONCursor.text(ofStringContent: written, isEscaped: isEscaped) }

        /// Compares the name as it is written, so a name with escape sequences does not match.
        package static func ~= (name: StaticString, key: Key) -> Bool {
            key.hasSameBytes(as: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }

        /// Returns whether the key has the bytes of `other`. Compares the length and the first byte first,
        /// because most names already differ in one of these.
        func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
            written.first == other.first && written.hasSameBytes(as: other)
        }
    }

    /// The names of the members read so far. `add` throws for a duplicate name, for a name with an escape
    /// sequence or a non-ASCII character, and for more than 16 names.
    private struct UsualNames {
        private var keys = InlineArray<16, Key?>(repeating: nil)
        private var count = 0

        mutating func add(_ key: Key) throws(JSONError) {
            guard count < keys.count, !key.isEscaped, key.written.allSatisfy({ $0 < 0x80 }) else {
                throw .unusual
            }
            for place in 0..<count where keys[place]?.hasSameBytes(as: key.written) == true { throw .unusual }
            keys[count] = key
            count += 1
        }
    }

    /// Reads an object in the same way as `readObject`. Throws `unusual` if other decoders could interpret
    /// the member names differently (see `UsualNames`), or if there are more than 16 members.
    package mutating func readUnambiguousObject(
        _ member: (inout JSONCursor, Key) throws(JSONError) -> Void
    ) throws(JSONError) {
        var names = UsualNames()
        skipSpaces()
        try readObject { (cursor, key) throws(JSONError) in
            try names.add(key)
            cursor.skipSpaces()
            try member(&cursor, key)
        }
    }

    /// Returns the text of a valid JSON string. `written`: the bytes between the quotes. `isEscaped`: whether
    /// these bytes contain an escape sequence.
    static func text(ofStringContent written: UnsafeBufferPointer<UInt8>, isEscaped: Bool) -> String {
        guard isEscaped else { return String(decoding: written, as: UTF8.self) }
        var (plain, index): ([UInt8], Int) = ([], 0)
        plain.reserveCapacity(written.count)
        while index < written.count {
            if written[index] != UInt8(ascii: "\\") {
                plain.append(written[index])
                index += 1
            } else if let byte = written[index + 1].unescaped {
                plain.append(byte)
                index += 2
            } else {
                let scalar = decodeEscapedScalar(at: &index, in: written)
                plain.append(contentsOf: String(Character(scalar)).utf8)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Returns the character of the escape sequence `\uXXXX`, or of two such sequences for a surrogate pair,
    /// and moves `index` to its end.
    private static func decodeEscapedScalar(at index: inout Int, in bytes: UnsafeBufferPointer<UInt8>)
        -> Unicode.Scalar
    {
        let unit = UInt32(codeUnit(at: index, in: bytes) ?? 0)
        index += 6
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let trail = UInt32(codeUnit(at: index, in: bytes) ?? 0)
        index += 6
        return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + trail & 0x3FF) ?? "\u{FFFD}"
    }

    /// Returns the code unit of the escape sequence `\uXXXX` at `index`; `nil` if there is none.
    static func codeUnit(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for place in index + 2..<index + 6 {
            guard let digit = bytes[place].hexadecimalValue else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// The byte represented by a two-character escape sequence: a backslash followed by this byte. `nil` if
    /// this byte does not form such a sequence.
    var unescaped: UInt8? {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    var hexadecimalValue: UInt16? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether both buffers contain the same bytes. Uses `memcmp`, because `elementsEqual` compares
    /// byte by byte, which is too slow for IDs and keys.
    package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }
}
