import Foundation
import TestSupport
import Testing

/// Tests of cutied's Varlink implementation against PyPI's `varlink` and Debian's `varlink-go`. Each
/// implementation is tested as client and as server.
@Suite(.timeLimit(.minutes(3))) struct CertificationTests {
    struct Program: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let command: @Sendable () throws -> [String]
        let serve: [String]
        let call: [String]
        /// The command line option before the socket address.
        let option: String
    }

    static let ours = Program(
        testDescription: "ours", command: { [try BuiltProduct.path(of: "conformance")] },
        serve: ["varlink", "serve"], call: ["varlink", "call"], option: "")
    static let python = Program(
        testDescription: "Python's",
        command: { [try pythonWithVarlink(), "-m", "varlink.tests.test_certification"] },
        serve: [], call: ["--client"], option: "--varlink=")
    static let go = Program(
        testDescription: "Go's", command: { [try installed("varlink-go-certification")] },
        serve: [], call: ["-client"], option: "-varlink=")

    @Test(arguments: [(ours, ours), (ours, python), (python, ours), (ours, go), (go, ours)])
    func `Each pair of Varlink implementations passes the Varlink certification`(
        client: Program, server: Program
    ) async throws {
        let directory = try TemporaryDirectory()
        let address = "unix:" + directory.file("s")
        let serving = try start(server, server.serve, address)
        try await eventually("the server listens (\(serving.standardError))") {
            (try? RawPeer(directory.file("s"))) != nil
        }
        let calling = try start(client, client.call, address)
        let code = try await calling.waitForExit()
        #expect(code == 0, "\(calling.standardOutput) \(calling.standardError) \(serving.standardError)")
        // SIGKILL is required, because the child process may have inherited a signal mask that blocks
        // SIGTERM.
        serving.signal(SIGKILL)
        try await serving.waitForExit()
    }

    private func start(_ program: Program, _ arguments: [String], _ address: String) throws -> ChildProcess {
        let command = try program.command() + arguments + [program.option + address]
        return try ChildProcess(command[0], Array(command.dropFirst()))
    }

    private static func pythonWithVarlink() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let path = environment["CUTIED_TEST_PYTHON"] ?? root.appending(path: ".build/venv/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Missing(what: "\(path), a Python with PyPI's varlink")
        }
        return path
    }

    private static func installed(_ name: String) throws -> String {
        let path = "/usr/bin/" + name
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(what: path) }
        return path
    }

    private struct Missing: Error, CustomStringConvertible {
        let what: String
        var description: String { "\(what) is missing: run `make deps`" }
    }
}
