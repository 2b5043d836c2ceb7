import Foundation

/// A namespace in which a test program starts itself again, so that it has what the machine has one of.
public struct Namespace: Sendable {
    /// Links of its own.
    public static let network = Namespace(option: "n")
    /// Mounts of its own.
    public static let mounts = Namespace(option: "m")
    /// Users of its own, with limits of their own.
    public static let users = Namespace(option: "U")

    private static let mark = "CUTIED_TEST_NAMESPACE"
    private static let unshare = "/usr/bin/unshare"
    /// For unshare.
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

    /// Runs the tests that `filter` names in a new namespace.
    public func run(filter: String) throws -> ChildProcess {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var environment = ProcessInfo.processInfo.environment
        environment[Self.mark] = option
        let arguments = options + [program, "--testing-library", "swift-testing", "--filter", filter]
        return try ChildProcess(Self.unshare, arguments, environment: environment)
    }
}
