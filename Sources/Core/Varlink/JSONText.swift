/// A cursor over JSON (RFC 8259) that advances token by token. Skipping a token also validates it.
package struct JSONText {
    package let bytes: [UInt8]
    package private(set) var index = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next byte. At the end, NUL, which never occurs inside a message.
    package var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    package var isAtEnd: Bool { index == bytes.count }

    package mutating func skipSpaces() {
        while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { index += 1 }
    }

    /// Skips the next byte if it equals `byte`. Returns whether a byte was skipped.
    package mutating func skipIfNext(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Skips a number, `true`, `false` or `null`.
    package mutating func skipWord() throws(MessageError) {
        switch next {
        case UInt8(ascii: "t"): try skipIfNext("true")
        case UInt8(ascii: "f"): try skipIfNext("false")
        case UInt8(ascii: "n"): try skipIfNext("null")
        default: try skipNumber()
        }
    }

    /// Skips a number of any size. The size is checked only when the number is decoded.
    private mutating func skipNumber() throws(MessageError) {
        _ = skipIfNext(UInt8(ascii: "-"))
        if !skipIfNext(UInt8(ascii: "0")) { try skipDigits() }
        if skipIfNext(UInt8(ascii: ".")) { try skipDigits() }
        guard skipIfNext(UInt8(ascii: "e")) || skipIfNext(UInt8(ascii: "E")) else { return }
        if !skipIfNext(UInt8(ascii: "+")) { _ = skipIfNext(UInt8(ascii: "-")) }
        try skipDigits()
    }

    private mutating func skipDigits() throws(MessageError) {
        guard next.isDigit else { throw .notJSON }
        while next.isDigit { index += 1 }
    }

    private mutating func skipIfNext(_ word: StaticString) throws(MessageError) {
        let isThere = word.withUTF8Buffer { bytes.dropFirst(index).starts(with: $0) }
        guard isThere else { throw .notJSON }
        index += word.utf8CodeUnitCount
    }

    /// Skips a string including its quotes. Validates its UTF-8 and its escape sequences.
    package mutating func skipString() throws(MessageError) {
        guard skipIfNext(UInt8(ascii: "\"")) else { throw .notJSON }
        while true {
            skipPlainCharacters()
            switch next {
            case UInt8(ascii: "\""): return index += 1
            case UInt8(ascii: "\\"): try skipEscape()
            case 0x80...: try skipCharacter()
            default: throw .notJSON
            }
        }
    }

    /// Skips unescaped characters and one-letter escape sequences. The loop is short, because it processes
    /// most bytes of a message.
    private mutating func skipPlainCharacters() {
        var end = index
        while end < bytes.count {
            let byte = bytes[end]
            if byte == UInt8(ascii: "\\"), end + 1 < bytes.count, bytes[end + 1].isEscapedAlone {
                end += 2
                continue
            }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                break
            }
            end += 1
        }
        index = end
    }

    /// Skips an escape sequence with four digits. Throws for an unpaired surrogate, because a Swift string
    /// cannot contain it.
    private mutating func skipEscape() throws(MessageError) {
        index += 1
        guard next == UInt8(ascii: "u") else { throw .notJSON }
        let unit = try parseCodeUnit()
        guard UTF16.isSurrogate(unit) else { return }
        guard UTF16.isLeadSurrogate(unit), skipIfNext(UInt8(ascii: "\\")), next == UInt8(ascii: "u"),
            UTF16.isTrailSurrogate(try parseCodeUnit())
        else { throw .notJSON }
    }

    /// Reads the digits of `\uXXXX`.
    private mutating func parseCodeUnit() throws(MessageError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            index += 1
            guard let digit = next.hexadecimalValue else { throw .notJSON }
            unit = unit << 4 | digit
        }
        index += 1
        return unit
    }

    /// Skips one non-ASCII character in UTF-8. The allowed range of the second byte (table 3-7 of the Unicode
    /// standard) excludes overlong forms, surrogates and values above U+10FFFF.
    private mutating func skipCharacter() throws(MessageError) {
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
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// Whether a backslash followed by this byte is a complete escape sequence: `\n` is, `\u` is not.
    fileprivate var isEscapedAlone: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            true
        default: false
        }
    }

    fileprivate var hexadecimalValue: UInt16? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
