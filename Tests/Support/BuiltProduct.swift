import Foundation

/// The executables of this package, as built for the tests.
public enum BuiltProduct {
    /// Returns the path of an executable. The executable is in the directory `CUTIED_PRODUCTS`, or next to
    /// the test bundle if the variable is not set.
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

/// The error for an executable that was not built.
public struct MissingProduct: Error, CustomStringConvertible {
    let name: String
    let directory: String

    public var description: String {
        "there is no \(name) in \(directory): run `make debug`, or set CUTIED_PRODUCTS"
    }
}
