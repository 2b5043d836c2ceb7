import CQREncode

/// A QR code of a string, for terminals and as an image.
public struct QRCode: Hashable, Sendable {
    /// The maximum length of the string in bytes of UTF-8. The QR code of the longest string is 121 modules
    /// wide, which cameras can still read from a screen.
    public static let maxTextLength = 1024

    /// The width in modules, without the quiet zone.
    public let width: Int
    private let modules: [UInt8]

    /// - Throws: `QRCodeError` if `text` is empty or too long.
    public init(_ text: String) throws(QRCodeError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.maxTextLength else { throw .tooLong(bytes: bytes.count) }
        var modules = [UInt8](repeating: 0, count: Int(CQRENCODE_LARGEST * CQRENCODE_LARGEST))
        let width = Int(cqrencode_encode(bytes, bytes.count, &modules))
        guard width > 0 else { throw .failed(errno: Int32(-width)) }
        self.width = width
        self.modules = Array(modules.prefix(width * width))
    }

    /// The light margin around the code, in modules. The standard requires four.
    private static let quietZone = 4

    /// The width in modules, with the quiet zone.
    private var outerWidth: Int { width + 2 * Self.quietZone }

    /// Returns whether a module is dark. Row and column include the quiet zone; modules outside are light.
    private func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column] != 0
    }

    /// The code as half-block characters, two rows of modules per line, without colors. Draws the light
    /// modules, so on a light terminal the code is inverted, which most scanners can read.
    public var terminalText: String { terminalText(coloured: false) }

    /// Like `terminalText`. With `coloured`, sets black and white explicitly, so that the code is not
    /// inverted on any terminal.
    public func terminalText(coloured: Bool) -> String {
        stride(from: 0, to: outerWidth, by: 2).map { row in
            let line = (0..<outerWidth).map { column in
                Self.halfBlock(
                    upper: isLight(row: row, column: column), lower: isLight(row: row + 1, column: column))
            }.joined()
            return (coloured ? Self.whiteOnBlack + line + Self.plain : line) + "\n"
        }.joined()
    }

    /// Colors from the fixed part of the 256-color palette; themes may change the first sixteen.
    private static let whiteOnBlack = "\u{1B}[38;5;231;48;5;16m"
    private static let plain = "\u{1B}[0m"

    /// Returns `false` for dark modules. The number of rows is odd; the missing half below the last row is
    /// light, so that no dark bar appears below the code.
    private func isLight(row: Int, column: Int) -> Bool { !isDark(row: row, column: column) }

    private static func halfBlock(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }

    /// The size of a module in pixels.
    private static let scale = 8

    /// The code as a PNG image, one bit per pixel, black on white.
    public var png: [UInt8] {
        let size = outerWidth * Self.scale
        return PNG.encodeGrayscale(
            width: size, rows: (0..<size).map { packedRow(atPixelRow: $0 / Self.scale) })
    }

    /// Returns a row of pixels, eight per byte, the leftmost in the highest bit; 1 is white. A module is one
    /// byte wide.
    private func packedRow(atPixelRow row: Int) -> [UInt8] {
        (0..<outerWidth).map { isDark(row: row, column: $0) ? 0x00 : 0xFF }
    }
}

/// The reason why a string cannot be encoded as a QR code.
public enum QRCodeError: Error, Hashable, CustomStringConvertible {
    case empty
    case tooLong(bytes: Int)
    case failed(errno: Int32)

    public var description: String {
        switch self {
        case .empty: "an empty text cannot be shown as a QR code"
        case .tooLong(let bytes):
            "a text of \(bytes) bytes is too long for a QR code; the limit is \(QRCode.maxTextLength)"
        case .failed(let errno): "the QR code cannot be created (error \(errno))"
        }
    }
}
