extension QRCode {
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
