import CutieAPI

/// Ids and secrets that cannot be guessed: 128 bits from the system's source.
enum Secret {
    static func make(_ prefix: String) -> String {
        prefix + hexadecimal(UInt64.random(in: 0 ... .max)) + hexadecimal(UInt64.random(in: 0 ... .max))
    }

    static func hexadecimal(_ number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { Hexadecimal.text(of: $0) }
    }
}
