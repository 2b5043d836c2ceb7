import Foundation

/// A Linux namespace in which a test program runs again, to isolate resources that otherwise exist once per
/// machine.
public struct Namespace: Sendable {
    /// A namespace with separate network interfaces.
    public static let network = Namespace(option: "n")
    /// A namespace with separate mounts.
    public static let mounts = Namespace(option: "m")
    /// A namespace with a separate host name.
    public static let hostName = Namespace(option: "u")
    /// A namespace with separate users and resource limits.
    public static let users = Namespace(option: "U")

    private static let mark = "CUTIED_TEST_NAMESPACE"
    private static let unshare = "/usr/bin/unshare"
    /// The letter of the option that makes `unshare` create the namespace.
    private let option: String
    private var options: [String] { geteuid() == 0 ? ["-" + option] : ["-r" + option] }

    public var isEntered: Bool { ProcessInfo.processInfo.environment[Self.mark] == option }

    public var isPossible: Bool {
        let process = Process()
        process.executableURL = URL(filePath: Self.unshare)
        process.arguments = options + ["/bin/true"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// Runs a suite of this test program in a new namespace.
    public func run(suite: String) throws -> ChildProcess {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var environment = ProcessInfo.processInfo.environment
        environment[Self.mark] = option
        // The slash excludes tests whose names contain the name of the suite.
        let filter = suite + "/"
        let arguments = options + [program, "--testing-library", "swift-testing", "--filter", filter]
        return try ChildProcess(Self.unshare, arguments, environment: environment)
    }
}
