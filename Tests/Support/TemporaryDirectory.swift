public import Foundation

/// A fresh directory, mode 0700, removed with everything in it when the last reference goes.
public final class TemporaryDirectory: Sendable {
    public let url: URL
    public var path: String { url.path }

    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "cutied-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of `name` inside.
    public func file(_ name: String) -> String { url.appending(path: name).path }
}
