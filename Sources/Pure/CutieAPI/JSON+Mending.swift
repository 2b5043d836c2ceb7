import FoundationEssentials

/// One bad character shall cost only itself. Foundation refuses a string that holds half of a surrogate pair,
/// which JavaScript writes where it cuts a text, or bytes that are not UTF-8: the person's words would be lost.
extension JSON {
    /// `data` with U+FFFD in the place of what is no character; the same where all are.
    static func mended(_ data: Data) -> Data {
        let (halves, isText) = data.withUnsafeBytes { bytes in
            (halfPairs(in: bytes), bytes.allSatisfy { $0 < 0x80 } || isUTF8(bytes))
        }
        guard !halves.isEmpty || !isText else { return data }
        var bytes = Array(data)
        for digits in halves { bytes.replaceSubrange(digits, with: "FFFD".utf8) }
        return isText ? Data(bytes) : Data(String(decoding: bytes, as: UTF8.self).utf8)
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// Where the digits of the escapes are that stand for half of a character.
    private static func halfPairs(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var halves: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let unit = codeUnit(at: index, of: bytes)
            let isWhole =
                unit.map(UTF16.isLeadSurrogate) == true
                && codeUnit(at: index + 6, of: bytes).map(UTF16.isTrailSurrogate) == true
            if let unit, !isWhole, UTF16.isSurrogate(unit) { halves.append(index + 2..<index + 6) }
            index += isWhole ? 12 : unit == nil ? 2 : 6
        }
        return halves
    }

    /// The code unit of the escape `\uXXXX` that begins at `index`; nil where none does.
    private static func codeUnit(at index: Int, of bytes: UnsafeRawBufferPointer) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}
