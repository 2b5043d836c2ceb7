/// Percent-encoding for one component of a URL. Every byte except ASCII letters, digits and `-._~` is encoded
/// as `%XX`, so that a value cannot contain a delimiter of the URL.
public enum PercentEncoding {
    /// Encodes every byte of `text` except the unreserved characters of RFC 3986.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Hexadecimal.digits[Int(byte >> 4)])
                bytes.append(Hexadecimal.digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes `text`; `nil` if a `%` is not followed by two hex digits, or if the result is not UTF-8.
    public static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.hexValue),
                let low = rest.popFirst().flatMap(Hexadecimal.hexValue)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes one path segment. An empty segment, `.` and `..` would address another path, even if written
    /// as `%2E`, because servers decode `%2E` before they resolve the path. These segments are therefore
    /// replaced by IDs that begin with a percent sign, which no server assigns.
    static func encodePathSegment(_ text: String) -> String {
        switch text {
        case "": "%25"
        case ".": "%252E"
        case "..": "%252E%252E"
        default: encode(text)
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// The conversion between bytes and hexadecimal digits.
public enum Hexadecimal {
    static let digits = Array("0123456789ABCDEF".utf8)
    private static let lowerDigits = Array("0123456789abcdef".utf8)

    /// Returns two lowercase digits per byte.
    public static func hexText(of bytes: some Sequence<UInt8>) -> String {
        let digits = bytes.flatMap { [lowerDigits[Int($0 >> 4)], lowerDigits[Int($0 & 15)]] }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns 0 to 15; `nil` if `byte` is not a hex digit.
    static func hexValue(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
