import Foundation

/// A network namespace in which a test program starts itself again, so that it has links of its own.
public enum NetworkNamespace {
    private static let mark = "CUTIED_TEST_NAMESPACE"
    private static let unshare = "/usr/bin/unshare"
    private static var options: [String] { geteuid() == 0 ? ["-n"] : ["-rn"] }

    public static let isEntered = ProcessInfo.processInfo.environment[mark] != nil

    public static let isPossible: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: unshare)
        process.arguments = options + ["/usr/sbin/ip", "link"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// Runs the tests that `filter` names in a new namespace.
    public static func run(filter: String) throws -> ChildProcess {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var environment = ProcessInfo.processInfo.environment
        environment[mark] = "1"
        let arguments = options + [program, "--testing-library", "swift-testing", "--filter", filter]
        return try ChildProcess(unshare, arguments, environment: environment)
    }
}
