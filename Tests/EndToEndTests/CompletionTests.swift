import Foundation
import TestSupport
import Testing

@Suite struct `Completion in a shell` {
    /// TAB behind `cutied ctl show `, as bash does it; prints what is offered.
    private static let tab = """
        eval "$(cutied --generate-completion-script bash)"
        COMP_WORDS=(cutied ctl show '') COMP_CWORD=3 COMP_LINE='cutied ctl show ' COMP_POINT=16
        _cutied cutied '' show
        printf '%s\\n' "${COMPREPLY[@]}"
        """

    @Test func `TAB runs nothing that a server chose as an id, and offers the others`() async throws {
        let owned = try TemporaryDirectory()
        let traps = [
            "$(:>\(owned.file("a")))", "`:>\(owned.file("b"))`", "${x:=$(:>\(owned.file("c")))}",
            "a;:>\(owned.file("d"))", "$(:>${IFS}\(owned.file("e")))", "--help",
        ]
        let liar = try LyingAPI([
            LyingAPI.stream: { connection, _ in
                connection.beginStream()
                for (index, trap) in traps.enumerated() {
                    connection.reply("\(index)", "m\(index)", in: trap, #","message":"look""#)
                }
                connection.waitForClose()
            }
        ])
        try await Household.with(liar) { home in
            let honest = try await home.daemon.converse("Honest", account: "honest")
            try await home.daemon.status("all there") { $0["liar"]?.badge.total == traps.count }
            let products = URL(filePath: try BuiltProduct.path(of: "cutied")).deletingLastPathComponent().path
            let shell = try ChildProcess(
                "/bin/bash", ["-c", Self.tab],
                environment: home.daemon.environment.merging(["PATH": "\(products):/usr/bin:/bin"]) { $1 })
            #expect(try await shell.exit() == 0, "\(shell.standardError)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: owned.path) == [])
            #expect(shell.standardOutput == "\(honest)\n")
        }
    }
}
