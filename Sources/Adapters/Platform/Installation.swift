import Glibc

/// The directories of an installation: `PREFIX/bin` contains `cutied` and `cutied-inbox`, and
/// `PREFIX/libexec/cutied` contains `cutied-daemon`. In a build directory, all programs are in the same
/// directory.
public struct Installation: Hashable, Sendable {
    /// The directory of the running program.
    private let directory: String
    /// The directory that contains `bin` and `libexec`.
    public let prefix: String
    /// The directory that contains `cutied`.
    public let commandDirectory: String

    /// The installation of this process; `nil` if /proc is not mounted.
    public static var current: Installation? { CurrentProgram.path.map { Installation(of: $0) } }

    /// Creates the installation that contains the absolute path `program`.
    init(of program: String) {
        let directory = program.split(separator: "/").dropLast()
        let isInternal = directory.suffix(2) == Self.internalDirectory[...]
        let prefix = Self.path(fromComponents: directory.dropLast(isInternal ? 2 : 1))
        self.directory = Self.path(fromComponents: directory)
        self.prefix = prefix
        commandDirectory = isInternal ? prefix + "/bin" : self.directory
    }

    /// The path of `cutied`; `nil` if it is not installed.
    public var command: String? { findExecutable("cutied", in: [directory, commandDirectory]) }

    /// The path of `cutied-daemon`; `nil` if it is not installed.
    public var daemon: String? {
        let libexec = prefix + "/" + Self.internalDirectory.joined(separator: "/")
        return findExecutable("cutied-daemon", in: [directory, libexec])
    }

    private static let internalDirectory: [Substring] = ["libexec", "cutied"]

    private static func path(fromComponents components: ArraySlice<Substring>) -> String {
        components.map { "/" + $0 }.joined()
    }

    private func findExecutable(_ name: String, in directories: [String]) -> String? {
        directories.lazy.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }
}
