import Foundation

/// An executable of this package, as the tests' build made it.
public enum BuiltProduct {
    /// Where `name` is: beside the test bundle, or in the directory that `CUTIED_PRODUCTS` names.
    public static func path(of name: String) throws -> String {
        let chosen = ProcessInfo.processInfo.environment["CUTIED_PRODUCTS"].map { URL(filePath: $0) }
        let beside = Bundle.main.executableURL?.deletingLastPathComponent()
        guard let directory = chosen ?? beside else { throw MissingProduct(name: name, directory: "?") }
        let path = directory.appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw MissingProduct(name: name, directory: directory.path)
        }
        return path
    }
}

/// The build made no such executable.
public struct MissingProduct: Error, CustomStringConvertible {
    let name: String
    let directory: String

    public var description: String {
        "there is no \(name) in \(directory): run `swift build`, or set CUTIED_PRODUCTS"
    }
}
