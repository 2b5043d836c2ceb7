/// A cursor over JSON (RFC 8259). The cursor reads a value, or skips a value and only validates it. All code
/// that parses JSON itself, instead of decoding a `Decodable` type, uses this cursor.
package struct JSONCursor: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The index of the next byte.
    package private(set) var index = 0

    /// Creates a cursor. `bytes` must outlive the cursor.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte of the JSON text; NUL at the end of the text. Valid JSON contains no NUL.
    package var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func skipSpaces() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index += 1 }
    }

    /// Skips the next byte if it equals `byte`. Returns whether a byte was skipped. Unless `byte` is a NUL,
    /// the cursor never moves past the end.
    package mutating func skipIfNext(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Skips white space and then `delimiter`. Throws if another character follows.
    private mutating func skip(_ delimiter: Unicode.Scalar) throws(JSONError) {
        skipSpaces()
        guard skipIfNext(UInt8(ascii: delimiter)) else { throw .notJSON }
    }

    /// Skips white space. Throws if anything else follows.
    package mutating func expectEnd() throws(JSONError) {
        skipSpaces()
        guard isAtEnd else { throw .notJSON }
    }

    // MARK: - Objects and lists

    /// Reads an object. `member` must read or skip the value of each key.
    package mutating func readObject(
        _ member: (inout JSONCursor, Key) throws(JSONError) -> Void
    ) throws(JSONError) {
        try skip("{")
        skipSpaces()
        if skipIfNext(UInt8(ascii: "}")) { return }
        repeat {
            let key = try readKey()
            try skip(":")
            try member(&self, key)
            skipSpaces()
        } while skipIfNext(UInt8(ascii: ","))
        try skip("}")
    }

    /// Reads a list. `element` must read or skip each value.
    package mutating func readList(
        _ element: (inout JSONCursor) throws(JSONError) -> Void
    ) throws(JSONError) {
        try skip("[")
        skipSpaces()
        if skipIfNext(UInt8(ascii: "]")) { return }
        repeat {
            try element(&self)
            skipSpaces()
        } while skipIfNext(UInt8(ascii: ","))
        try skip("]")
    }

    private mutating func readKey() throws(JSONError) -> Key {
        skipSpaces()
        let start = index
        let isEscaped = try scanString()
        return Key(written: slice(from: start + 1, to: index - 1), isEscaped: isEscaped)
    }

    /// Skips a value of any type. `maxDepth`: the maximum number of nested objects and lists.
    package mutating func skipValue(maxDepth: Int) throws(JSONError) {
        skipSpaces()
        switch next {
        case UInt8(ascii: "{"):
            guard maxDepth > 0 else { throw .tooDeep }
            try readObject { (cursor, _) throws(JSONError) in try cursor.skipValue(maxDepth: maxDepth - 1) }
        case UInt8(ascii: "["):
            guard maxDepth > 0 else { throw .tooDeep }
            try readList { (cursor) throws(JSONError) in try cursor.skipValue(maxDepth: maxDepth - 1) }
        case UInt8(ascii: "\""): try skipString()
        default: try skipUnquotedValue()
        }
    }

    // MARK: - Strings

    package mutating func readString() throws(JSONError) -> String {
        let start = index
        let isEscaped = try scanString()
        return Self.text(ofStringContent: slice(from: start + 1, to: index - 1), isEscaped: isEscaped)
    }

    /// Skips a string including its quotes. Validates its UTF-8 and its escape sequences.
    package mutating func skipString() throws(JSONError) { _ = try scanString() }

    /// Skips a string. Returns whether it contains escape sequences.
    private mutating func scanString() throws(JSONError) -> Bool {
        guard skipIfNext(UInt8(ascii: "\"")) else { throw .notJSON }
        var isEscaped = false
        while true {
            if skipASCIIAndShortEscapes() { isEscaped = true }
            switch next {
            case UInt8(ascii: "\""):
                index += 1
                return isEscaped
            case UInt8(ascii: "\\"):
                isEscaped = true
                try skipUnicodeEscape()
            case 0x80...: try skipNonASCIICharacter()
            default: throw .notJSON
            }
        }
    }

    /// Skips unescaped ASCII characters and two-character escape sequences. Returns whether escapes were
    /// skipped. The loop processes most bytes of a message, so it does little work per byte.
    private mutating func skipASCIIAndShortEscapes() -> Bool {
        var (end, isEscaped) = (index, false)
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\\"), end + 1 < bytes.count, bytes[end + 1].unescaped != nil {
                end += 2
                isEscaped = true
                continue
            }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                break
            }
            end += 1
        }
        index = end
        return isEscaped
    }

    /// Skips an escape sequence `\uXXXX`, or two for a surrogate pair. Throws for an unpaired
    /// surrogate, which a Swift string
    /// cannot contain.
    private mutating func skipUnicodeEscape() throws(JSONError) {
        let unit = try readCodeUnit()
        guard UTF16.isSurrogate(unit) else { return }
        guard UTF16.isLeadSurrogate(unit), next == UInt8(ascii: "\\"),
            UTF16.isTrailSurrogate(try readCodeUnit())
        else { throw .notJSON }
    }

    /// Reads the escape sequence `\uXXXX` and returns its code unit.
    private mutating func readCodeUnit() throws(JSONError) -> UInt16 {
        guard let unit = Self.codeUnit(at: index, in: bytes) else { throw .notJSON }
        index += 6
        return unit
    }

    /// Skips one non-ASCII character (table 3-7 of the Unicode standard). The range of the second byte
    /// excludes overlong forms, surrogates and values above U+10FFFF.
    private mutating func skipNonASCIICharacter() throws(JSONError) {
        let (second, count): (ClosedRange<UInt8>, Int) =
            switch next {
            case 0xC2...0xDF: (0x80...0xBF, 2)
            case 0xE0: (0xA0...0xBF, 3)
            case 0xED: (0x80...0x9F, 3)
            case 0xE1...0xEF: (0x80...0xBF, 3)
            case 0xF0: (0x90...0xBF, 4)
            case 0xF1...0xF3: (0x80...0xBF, 4)
            case 0xF4: (0x80...0x8F, 4)
            default: throw .notJSON
            }
        index += 1
        guard second.contains(next) else { throw .notJSON }
        for _ in 2..<count {
            index += 1
            guard (0x80...0xBF).contains(next) else { throw .notJSON }
        }
        index += 1
    }

    private func slice(from start: Int, to end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    // MARK: - Numbers, booleans and null

    /// Skips a number, `true`, `false` or `null`.
    package mutating func skipUnquotedValue() throws(JSONError) {
        switch next {
        case UInt8(ascii: "t"): guard skipIfNext("true") else { throw .notJSON }
        case UInt8(ascii: "f"): guard skipIfNext("false") else { throw .notJSON }
        case UInt8(ascii: "n"): guard skipIfNext("null") else { throw .notJSON }
        default: try skipNumber()
        }
    }

    /// Reads a number, `true`, `false` or `null` as text.
    mutating func readUnquotedValue() throws(JSONError) -> String {
        let start = index
        try skipUnquotedValue()
        return String(decoding: slice(from: start, to: index), as: UTF8.self)
    }

    /// Reads a boolean.
    package mutating func readFlag() throws(JSONError) -> Bool {
        if skipIfNext("true") { return true }
        guard skipIfNext("false") else { throw .notJSON }
        return false
    }

    /// Reads an integer. Throws `unusual` for an integer of more than 18 digits, which might overflow, and
    /// for a number with a fraction or an exponent.
    package mutating func readInteger() throws(JSONError) -> Int64 {
        let start = index
        try skipNumber()
        let isNegative = bytes[start] == UInt8(ascii: "-")
        let digits = slice(from: isNegative ? start + 1 : start, to: index)
        guard digits.count <= 18, digits.allSatisfy(\.isDigit) else { throw .unusual }
        let value = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        return isNegative ? -value : value
    }

    /// Skips white space, and `null` if it follows. Returns whether `null` was skipped.
    package mutating func skipNullIfPresent() -> Bool {
        skipSpaces()
        return skipIfNext("null")
    }

    /// Skips a number of any size. The code that decodes the value reports an overflow.
    private mutating func skipNumber() throws(JSONError) {
        _ = skipIfNext(UInt8(ascii: "-"))
        if !skipIfNext(UInt8(ascii: "0")) { try skipDigits() }
        if skipIfNext(UInt8(ascii: ".")) { try skipDigits() }
        guard skipIfNext(UInt8(ascii: "e")) || skipIfNext(UInt8(ascii: "E")) else { return }
        if !skipIfNext(UInt8(ascii: "+")) { _ = skipIfNext(UInt8(ascii: "-")) }
        try skipDigits()
    }

    private mutating func skipDigits() throws(JSONError) {
        guard next.isDigit else { throw .notJSON }
        while next.isDigit { index += 1 }
    }

    private mutating func skipIfNext(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard next == word.utf8Start.pointee, index + count <= bytes.count,
            slice(from: index, to: index + count).hasSameBytes(
                as: UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { return false }
        index += count
        return true
    }
}

/// The error of a parser that uses `JSONCursor`.
package enum JSONError: Error, Hashable {
    case notJSON
    /// The JSON has a rare form that only a `Decodable` type supports, or is invalid.
    case unusual
    case tooDeep
    case tooManyValues
    case duplicateKey
}
