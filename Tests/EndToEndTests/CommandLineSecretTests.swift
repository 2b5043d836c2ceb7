import Foundation
import TestSupport
import Testing

/// Tests that command lines contain no secrets, because other users can read the command line of a process.
struct CommandLineSecretTests {
    @Test(arguments: [
        ["open", "cutie://link?token=cutie_ft_secret"], ["ctl", "link", "confirm", "cutie_ft_secret"],
        ["open", "io.cutied.cutied:/signed-in?code=secret&state=s"],
    ])
    func `While a command waits for the daemon, its command line does not contain the token`(words: [String])
        async throws
    {
        let directory = try TemporaryDirectory()
        let socket = directory.file("control.sock")
        let daemon = try SilentListener(at: socket)
        // On a busy machine, the command may stop waiting before its command line is read. Start it again then.
        try await eventually("a command line without the secret") {
            let program = try SpawnedProgram(
                BuiltProduct.path(of: "cutied"), words,
                environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path, "CUTIED_SOCKET": socket])
            while program.isRunning {
                let line = try? String(contentsOfFile: "/proc/\(program.pid)/cmdline", encoding: .utf8)
                if let line, line.contains(words[0]), !line.contains("secret"), line.contains("*") {
                    return true
                }
                try await Task.sleep(for: .milliseconds(5))
            }
            return false
        }
        withExtendedLifetime(daemon) {}
    }
}
