import AccessAPI
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: varlinkPython != nil, "run `make deps`, or set CUTIED_TEST_PYTHON"))
struct `Examples for app developers` {
    private func run(_ example: DeveloperExample, _ arguments: [String], socket: String) throws
        -> SpawnedProgram
    {
        try example.start(arguments, environment: ["CUTIED_ACCESS_SOCKET": socket])
    }

    @Test(arguments: DeveloperExample.allCases)
    func `The example program sends a question to the developer, receives the reply and marks it read`(
        example: DeveloperExample
    )
        async throws
    {
        let maker = try FakeAccessServer(answering: "In the menu, at \"Export…\"")
        let words = "Where is the \"export\"?"
        try await maker.running {
            let program = try run(example, ["app_1", words, "http://127.0.0.1:8787"], socket: maker.socket)
            #expect(try await program.waitForExit() == 0, "\(program.standardError)")
            #expect(
                program.lines == ["sent", "Mia: In the menu, at \"Export…\""], "\(program.standardError)")
        }
        #expect(try maker.received(Configure.self).map(\.appId) == ["app_1"])
        #expect(try maker.received(Configure.self).map(\.apiUrl) == ["http://127.0.0.1:8787"])
        #expect(try maker.received(CreateConversation.self).map(\.message) == [words])
        #expect(try maker.received(MarkRead.self).map(\.conversation) == ["conv_1"])
    }

    @Test(arguments: DeveloperExample.allCases)
    func `Without a daemon, the example program reports that cutied is not running`(example: DeveloperExample)
        async throws
    {
        let program = try run(example, ["app_1", "Hello?"], socket: "/nowhere/access.sock")
        _ = try await program.waitForExit()
        let output = program.lines.joined() + program.standardError
        #expect(
            output.contains("cutied is not running: no process listens at /nowhere/access.sock"), "\(output)")
        #expect(!program.lines.contains("sent"))
    }

    @Test func `The Swift example has at most 30 lines and imports only the library and C`() throws {
        let source = try String(
            contentsOfFile: DeveloperExample.file("Swift/Sources/Answers/Answers.swift"), encoding: .utf8)
        #expect(source.split(separator: "\n").count <= 30)
        #expect(
            source.split(separator: "\n").filter { $0.hasPrefix("import ") } == [
                "import CutiE", "import Glibc",
            ])
    }
}
