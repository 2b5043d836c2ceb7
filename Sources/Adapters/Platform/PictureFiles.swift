import Glibc

/// Where pictures that were fetched are kept, by their address: who fetches them and who shows them agree.
public struct PictureFiles: Sendable {
    public let directory: String

    /// Below the directory of what can be fetched again.
    public init(cacheDirectory: String) { directory = cacheDirectory + "/avatars" }

    /// The file that the picture is in, or will be.
    public func file(of address: String) -> String { directory + "/" + Self.name(of: address) }

    /// The file where it is there; nil where it is not here (yet).
    public func path(of address: String) -> String? {
        let file = file(of: address)
        return access(file, R_OK) == 0 ? file : nil
    }

    /// FNV-1a, twice with different beginnings: an address may hold anything, a file name may not. Without
    /// the query, which is another one each time where addresses are signed.
    public static func name(of address: String) -> String {
        let plain = address.prefix { $0 != "?" }
        let hashes = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
            plain.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { String($0, radix: 16) }.joined()
    }
}
