import TestSupport
import Testing

@testable import Doctor

struct ProgramRunTests {
    private func sh(_ script: String, limit: Duration = defaultTimeLimit) async -> ProgramRun {
        await ProgramRun("/bin/sh", "-c", script, environment: [:], limit: limit)
    }

    @Test func `Running a program returns the exit code and the combined output`() async {
        let run = await sh("echo out; echo err >&2; exit 3")
        #expect(run == ProgramRun(ending: .exited(code: 3), output: "out\nerr\n"))
        #expect(run.line == "out")
    }

    @Test func `Programs run with the locale C`() async {
        #expect(await sh("echo $LC_ALL").line == "C")
    }

    @Test func `A program that exceeds its time limit is killed`() async {
        #expect(await sh("exec sleep 600", limit: .milliseconds(50)).ending == .killed)
    }

    @Test func `A missing program is reported as not started`() async {
        let run = await ProgramRun("/nowhere/to/be/found", environment: [:])
        #expect(run.ending == .notStarted)
    }

    @Test
    func
        `If a program's output exceeds the limit, the program keeps running and further output is discarded`()
        async
    {
        let run = await sh("head -c 1000000 /dev/zero")
        #expect(run.ending == .exited(code: 0))
        #expect(run.output.utf8.count == 64 << 10)
    }
}
