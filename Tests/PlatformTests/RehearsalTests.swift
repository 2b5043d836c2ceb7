import Foundation
import Platform
import TestSupport
import Testing

struct RehearsalTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var environment: [String: String] {
        ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": directory.path, "DISPLAY": ":7"]
    }

    @Test func `A program that outlives its starter tells its environment, and nothing is left`() async throws
    {
        let rehearsal = await Launcher(environment: environment).rehearse()
        guard case .outlived(let given) = rehearsal else {
            Issue.record("\(rehearsal)")
            return
        }
        #expect(given["DISPLAY"] == ":7")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }

    @Test func `A start that fails is told`() async throws {
        let environment = environment.merging(["XDG_RUNTIME_DIR": directory.file("none")]) { $1 }
        guard case .failed(let reason) = await Launcher(environment: environment).rehearse() else {
            Issue.record("it did not fail")
            return
        }
        #expect(reason.contains("none"))
    }
}
