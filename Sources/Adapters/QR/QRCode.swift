internal import CQREncode

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
    static let quietZone = 4

    /// Modules on a side, with the quiet zone.
    var outerWidth: Int { width + 2 * Self.quietZone }

    /// Whether a module is dark, counted from the quiet zone's corner; what is outside is light.
    func isDark(row: Int, column: Int) -> Bool {
        let (row, column) = (row - Self.quietZone, column - Self.quietZone)
        guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
        return modules[row * width + column] != 0
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
