import CQREncode

/// A text as a QR code, to be drawn in a terminal or as a picture.
public struct QRCode: Hashable, Sendable {
    /// Bytes of UTF-8 that a text may have: the code of such a one is 121 modules wide, and cameras still
    /// read it off a screen.
    public static let longestText = 1024

    /// Modules on a side, without the quiet zone.
    public let width: Int
    private let modules: [UInt8]

    /// Throws `QRCodeError` where `text` is empty or too long.
    public init(_ text: String) throws(QRCodeError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.longestText else { throw .tooLong(bytes: bytes.count) }
        var modules = [UInt8](repeating: 0, count: Int(CQRENCODE_LARGEST * CQRENCODE_LARGEST))
        let width = Int(cqrencode_encode(bytes, bytes.count, &modules))
        guard width > 0 else { throw .failed(errno: Int32(-width)) }
        self.width = width
        self.modules = Array(modules.prefix(width * width))
    }

    /// Light modules around the code; with fewer than four it cannot be told from its surroundings.
    private static let quietZone = 4

    /// Modules on a side, with the quiet zone.
    private var outerWidth: Int { width + 2 * Self.quietZone }

    /// Whether a module is dark, counted from the quiet zone's corner; what is outside is light.
    private func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column] != 0
    }

    /// The code in half blocks, two rows of modules a line, without colours. The light modules are drawn: on a
    /// dark terminal it looks as printed, on a light one it is the negative, which most scanners read, too.
    public var terminalText: String { terminalText(coloured: false) }

    /// As `terminalText`; `coloured` says black on white in so many words, and looks as printed everywhere.
    public func terminalText(coloured: Bool) -> String {
        stride(from: 0, to: outerWidth, by: 2).map { row in
            let line = (0..<outerWidth).map { column in
                Self.half(
                    upper: isLight(row: row, column: column), lower: isLight(row: row + 1, column: column))
            }.joined()
            return (coloured ? Self.whiteOnBlack + line + Self.plain : line) + "\n"
        }.joined()
    }

    /// Of the fixed part of the 256 colours: a theme may have made the first sixteen anything.
    private static let whiteOnBlack = "\u{1B}[38;5;231;48;5;16m"
    private static let plain = "\u{1B}[0m"

    /// The number of rows is odd: dark, the half below the last one would be a bar under the code.
    private func isLight(row: Int, column: Int) -> Bool { !isDark(row: row, column: column) }

    private static func half(upper: Bool, lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }

    /// Pixels on a side of a module.
    private static let scale = 8

    /// A picture of the code: one bit a pixel, black on white, the bytes of a PNG file.
    public var png: [UInt8] {
        let size = outerWidth * Self.scale
        return PNG.grayscale(width: size, rows: (0..<size).map { packed(pixelRow: $0 / Self.scale) })
    }

    /// A row of pixels, eight a byte, the leftmost in the highest bit; 1 is white. A module is one byte wide.
    private func packed(pixelRow row: Int) -> [UInt8] {
        (0..<outerWidth).map { isDark(row: row, column: $0) ? 0x00 : 0xFF }
    }
}

/// Why a text has no QR code.
public enum QRCodeError: Error, Hashable, CustomStringConvertible {
    case empty
    case tooLong(bytes: Int)
    case failed(errno: Int32)

    public var description: String {
        switch self {
        case .empty: "an empty text has no QR code"
        case .tooLong(let bytes):
            "a text of \(bytes) bytes is too long for a QR code; \(QRCode.longestText) are the limit"
        case .failed(let errno): "the QR code cannot be made (error \(errno))"
        }
    }
}
