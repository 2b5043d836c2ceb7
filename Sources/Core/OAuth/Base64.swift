import FoundationEssentials

/// Base64 with the standard alphabet.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// Base64 with the URL-safe alphabet of RFC 4648 §5, without padding (RFC 7515 §2).
public enum Base64URL {
    public static func encode(_ bytes: [UInt8]) -> String {
        String(
            Base64.encode(bytes).compactMap { character -> Character? in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Decodes `text`; `nil` if it contains padding or an invalid character, or if the unused bits of the
    /// last character are not 0.
    public static func decode(_ text: Substring) -> [UInt8]? {
        guard text.utf8.allSatisfy(isDigit), text.utf8.count % 4 != 1 else { return nil }
        let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
        guard let bytes = Data(base64Encoded: String(standard) + padding).map(Array.init) else { return nil }
        return self.encode(bytes).utf8.elementsEqual(text.utf8) ? bytes : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
