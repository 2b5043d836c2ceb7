import Platform

/// A store's receipt: a file, or standard input where it is `-`.
enum ReceiptFile {
    /// Bytes.
    static let limit = 1 << 20

    /// Throws a `Complaint` where it cannot be read, is empty or too long.
    static func read(_ path: String, standardInput: (Int) throws -> [UInt8]) throws -> [UInt8] {
        let bytes = path == "-" ? try standardInput(limit + 1) : try contents(of: path)
        guard bytes.count <= limit else { throw Complaint(.badData, "the receipt is larger than 1 MiB") }
        guard !bytes.isEmpty else { throw Complaint(.badData, "the receipt is empty") }
        return bytes
    }

    private static func contents(of path: String) throws -> [UInt8] {
        do { return try SmallFile.read(path, limit: limit) } catch {
            throw Complaint(.badData, "the receipt cannot be read: \(error)", advice: "name another file")
        }
    }
}
