import Foundation
import TestSupport
import Testing

@testable import Platform

/// Tests with a fake `pkcheck` that records its arguments.
struct PolkitTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func polkit(_ script: String) throws -> Polkit {
        let path = directory.file("pkcheck")
        try installScript(
            "#!/bin/sh\necho \"$@\" >'\(directory.file("asked"))'\n\(script)\n", at: path)
        return Polkit(environment: ["PATH": directory.path + ":/usr/bin:/bin"])
    }

    @Test func `The authorization check identifies this process to polkit by PID and start time`()
        async throws
    {
        let polkit = try polkit("exit 0")
        #expect(await polkit.authorize("io.cutied.present", within: defaultTimeLimit) == .authorized)
        let asked = try String(contentsOfFile: directory.file("asked"), encoding: .utf8)
        let started = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
            .components(separatedBy: ") ").last?.split(separator: " ").dropFirst(19).first
        #expect(
            asked
                == "--action-id io.cutied.present --process \(getpid()),\(try #require(started)),\(getuid()) "
                + "--allow-user-interaction\n")
    }

    @Test(arguments: [
        (1, Polkit.Outcome.refused), (2, .noAgent), (3, .refused),
        (127, .failed("Action io.cutied.present is not registered")),
    ])
    func `The result of the authorization check depends on the exit code of pkcheck`(
        code: Int, answer: Polkit.Outcome
    ) async throws {
        let polkit = try polkit("echo 'Action io.cutied.present is not registered' >&2; exit \(code)")
        let result = await polkit.authorize("io.cutied.present", within: defaultTimeLimit)
        #expect(result == answer)
    }

    @Test func `An authorization check that times out counts as refused`() async throws {
        let polkit = try polkit("exec sleep 600")
        #expect(await polkit.authorize("io.cutied.present", within: .milliseconds(50)) == .refused)
    }

    @Test func `The authorization check fails if polkit is not installed`() async {
        let polkit = Polkit(environment: ["PATH": directory.path])
        guard case .failed = await polkit.authorize("io.cutied.present", within: defaultTimeLimit) else {
            Issue.record("somebody confirmed")
            return
        }
    }
}
