import Glibc

/// The files of cached pictures by URL, used by the code that fetches pictures and by the code that shows
/// them.
public struct PictureFiles: Sendable {
    public let directory: String

    /// Uses the directory `avatars` in `cacheDirectory`.
    public init(cacheDirectory: String) { directory = cacheDirectory + "/avatars" }

    /// Returns the path of a picture, which may not be fetched yet.
    public func filePath(for address: String) -> String { directory + "/" + Self.fileName(for: address) }

    /// Returns the path of a picture; `nil` if it is not fetched yet.
    public func existingPath(for address: String) -> String? {
        let file = filePath(for: address)
        return access(file, R_OK) == 0 ? file : nil
    }

    /// Returns a file name for a URL: two FNV-1a hashes with different seeds. The query is ignored, because
    /// it differs in each signed URL.
    public static func fileName(for address: String) -> String {
        let plain = address.prefix { $0 != "?" }
        let hashes = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
            plain.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { String($0, radix: 16) }.joined()
    }
}
