import Foundation
import Testing

/// Tests that every promise in SECURITY.md refers to a test file, and that these files exist.
struct SecurityPolicyTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `Every promise in the security policy names a test file, and the named files exist`()
        throws
    {
        let text = try String(contentsOf: Self.root.appending(path: "SECURITY.md"), encoding: .utf8)
        let named = text.matches(of: /`(Tests\/[A-Za-z\/]+\.?[a-z]*)`/).map { String($0.1) }
        #expect(named.count > 20)
        let missing = named.filter {
            !FileManager.default.fileExists(atPath: Self.root.appending(path: $0).path)
        }
        #expect(missing == [])
        let promises = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("shown by") }
        #expect(promises.count > 10)
        #expect(promises.filter { !$0.contains("`Tests/") } == [])
    }
}
