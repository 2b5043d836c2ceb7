import CQREncode

/// A QR code of a string, for terminals and as an image.
public struct QRCode: Hashable, Sendable {
    /// The maximum length of the text, in bytes of UTF-8. A QR code for a text of this length is 121 modules
    /// wide, which cameras can still read from a screen.
    public static let maxTextLength = 1024

    /// The width of the QR code in modules, without the margin.
    public let width: Int
    private let modules: [UInt8]

    /// Encodes `text`.
    ///
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

    /// The width of the light margin (quiet zone), in modules. The standard requires at least four.
    private static let quietZone = 4

    /// The width of the QR code in modules, including the margin on both sides.
    private var outerWidth: Int { width + 2 * Self.quietZone }

    /// Returns whether a module is dark. `row` and `column` count from the outer edge of the margin. All
    /// modules outside the code are light.
    private func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column] != 0
    }

    /// The code as half-block characters without colors. Each line of text shows two rows of modules. The
    /// characters draw the light modules, so a terminal with a light background shows an inverted code, which
    /// most scanners can read.
    public var terminalText: String { terminalText(usesColor: false) }

    /// Returns the code as half-block characters. If `usesColor` is `true`, sets the colors black and
    /// white, so that no terminal shows an inverted code.
    public func terminalText(usesColor: Bool) -> String {
        stride(from: 0, to: outerWidth, by: 2).map { row in
            let line = (0..<outerWidth).map { column in
                Self.halfBlock(
                    isUpperLight: isLight(row: row, column: column),
                    isLowerLight: isLight(row: row + 1, column: column))
            }.joined()
            return (usesColor ? Self.whiteOnBlack + line + Self.plain : line) + "\n"
        }.joined()
    }

    /// Black and white from the fixed part of the 256-color palette. Themes can change only the first sixteen
    /// colors.
    private static let whiteOnBlack = "\u{1B}[38;5;231;48;5;16m"
    private static let plain = "\u{1B}[0m"

    /// Returns whether a module is light. Also returns `true` for the row below the last row, because the
    /// number of rows is odd and each line of text shows two rows.
    private func isLight(row: Int, column: Int) -> Bool { !isDark(row: row, column: column) }

    private static func halfBlock(isUpperLight: Bool, isLowerLight: Bool) -> String {
        switch (isUpperLight, isLowerLight) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }

    /// The width and height of a module, in pixels.
    private static let scale = 8

    /// The code as a PNG image, one bit per pixel, black on white.
    public var png: [UInt8] {
        let size = outerWidth * Self.scale
        return PNG.encodeBlackAndWhite(
            width: size, rows: (0..<size).map { packedRow(atPixelRow: $0 / Self.scale) })
    }

    /// Returns a row of pixels. Each byte contains the eight pixels of one module; a 1 bit is white.
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
