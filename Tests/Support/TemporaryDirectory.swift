public import Foundation

/// A new directory with mode 0700. Releasing the value deletes the directory and its content.
public final class TemporaryDirectory: Sendable {
    public let url: URL
    public var path: String { url.path }

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "cutied-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the path of the file `name` in this directory.
    public func file(_ name: String) -> String { url.appending(path: name).path }
}
