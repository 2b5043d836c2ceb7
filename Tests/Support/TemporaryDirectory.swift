public import Foundation

/// A new directory with mode 0700, which is deleted with its content when the last reference is released.
public final class TemporaryDirectory: Sendable {
    public let url: URL
    public var path: String { url.path }

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "cutied-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of the file `name` in the directory.
    public func file(_ name: String) -> String { url.appending(path: name).path }
}
