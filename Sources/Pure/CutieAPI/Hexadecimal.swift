/// Digits to the base of 16.
public enum Hexadecimal {
    static let digits = Array("0123456789ABCDEF".utf8)
    private static let lowerDigits = Array("0123456789abcdef".utf8)

    /// Two digits a byte, in lower case.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        let digits = bytes.flatMap { [lowerDigits[Int($0 >> 4)], lowerDigits[Int($0 & 15)]] }
        return String(decoding: digits, as: UTF8.self)
    }

    /// 0 to 15, or nil where `byte` is no digit.
    static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
