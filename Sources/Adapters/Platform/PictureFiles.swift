import Glibc

/// The cached pictures: a map from URLs to file paths, shared by the downloader and the user interface.
public struct PictureFiles: Sendable {
    public let directory: String

    /// Creates the map for the directory `avatars` in `cacheDirectory`.
    public init(cacheDirectory: String) { directory = cacheDirectory + "/avatars" }

    /// Returns the path for a picture, even if the picture has not been fetched.
    public func filePath(for address: String) -> String { directory + "/" + Self.fileName(for: address) }

    /// Returns the path of a picture; `nil` if the picture has not been fetched.
    public func existingPath(for address: String) -> String? {
        let file = filePath(for: address)
        return access(file, R_OK) == 0 ? file : nil
    }

    /// Returns a file name for a URL: two FNV-1a hashes with different seeds. Ignores the query, because
    /// signed URLs of the same picture have different queries.
    public static func fileName(for address: String) -> String {
        let plain = address.prefix { $0 != "?" }
        let hashes = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
            plain.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { String($0, radix: 16) }.joined()
    }
}
