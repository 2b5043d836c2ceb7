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
        let program = try SpawnedProgram(
            BuiltProduct.path(of: "cutied"), words,
            environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path, "CUTIED_SOCKET": socket])
        try await eventually("a command line without the secret: \(program.standardError)") {
            let line = try String(contentsOfFile: "/proc/\(program.pid)/cmdline", encoding: .utf8)
            return line.contains(words[0]) && !line.contains("secret") && line.contains("*")
        }
        #expect(program.isRunning, "\(program.standardError)")
        withExtendedLifetime(daemon) {}
    }
}
