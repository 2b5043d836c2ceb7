/// JSON on one line that does a terminal no harm.
enum JSONLine {
    /// The same JSON: line ends can only stand between values, and control characters that JSON allows
    /// in strings are written as escapes.
    static func text(_ json: [UInt8]) -> String {
        var result = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x0A, 0x0D: result += " "
            case 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
