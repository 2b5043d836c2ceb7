/// An encoder of uncompressed PNG images with one bit per pixel (ISO/IEC 15948). Compression is not needed,
/// because the image of a QR code has only a few kilobytes.
enum PNG {
    /// Encodes a black-and-white image.
    ///
    /// - Parameter rows: eight pixels per byte, the leftmost pixel in the highest bit. 0 is black.
    static func encodeBlackAndWhite(width: Int, rows: [[UInt8]]) -> [UInt8] {
        // The fields after width and height: bit depth 1, grayscale, the only defined compression and filter
        // methods, no interlacing.
        let header = bigEndianBytes(UInt32(width)) + bigEndianBytes(UInt32(rows.count)) + [1, 0, 0, 0, 0]
        // Each row starts with its filter type; 0 is no filter.
        var pixels: [UInt8] = []
        for row in rows { pixels += [0] + row }
        return signature + makeChunk(type: "IHDR", data: header)
            + makeChunk(type: "IDAT", data: makeZlibStream(pixels))
            + makeChunk(type: "IEND", data: [])
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func makeChunk(type: String, data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndianBytes(UInt32(data.count)) + body + bigEndianBytes(crc32(body))
    }

    /// Returns a zlib stream (RFC 1950) that contains `bytes` without compression (RFC 1951, 3.2.4).
    private static func makeZlibStream(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(Int(UInt16.max))
            rest = rest.dropFirst(block.count)
            let count = UInt16(block.count)
            stream += [rest.isEmpty ? 1 : 0] + littleEndianBytes(count) + littleEndianBytes(~count) + block
        } while !rest.isEmpty
        return stream + bigEndianBytes(adler32(bytes))
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1) * 0xEDB8_8320 }
        }
        return ~remainder
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        let modulus: UInt32 = 65_521
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % modulus
            high = (high + low) % modulus
        }
        return high << 16 | low
    }

    private static func bigEndianBytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func littleEndianBytes(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
