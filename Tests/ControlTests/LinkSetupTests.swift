import ArgumentParser
import CutieAPI
import Foundation
import Setup
import TestSupport
import Testing

@testable import Control

/// Tests of opening a `cutie://setup` link in a terminal.
struct LinkSetupTests {
    private let directory: TemporaryDirectory
    private let daemon: StandInDaemon

    init() throws {
        directory = try TemporaryDirectory()
        daemon = try StandInDaemon()
    }

    private var file: String { directory.file("config.yaml") }

    private func setup(_ appID: String = "app_1", at address: String? = nil) throws -> LinkSetup {
        let address = try address.map { try APIAddress($0) }
        let link = DeepLink.setup(appID: appID, api: address).text
        return LinkSetup(appID: appID, address: address, link: link, file: ConfigurationFile(path: file))
    }

    /// Returns a session in which the user types `line`, the captured output, and the questions that the
    /// session asked.
    private func session(typing line: String?) -> (Session, CapturedOutput, Shared<[String]>) {
        var (session, printed) = daemon.session()
        let asked = Shared<[String]>([])
        session.prompt = TerminalPrompt { text in
            asked.value.append(text)
            return line
        }
        return (session, printed, asked)
    }

    @Test
    func
        `The changes of a setup link are shown and, after the user has agreed, written to the configuration`()
        throws
    {
        let (session, printed, asked) = session(typing: "y")
        try setup(at: "https://api.example.com").run(in: session)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("app_id: app_1") && text.contains("https://api.example.com"))
        #expect(asked.value.count == 1 && asked.value[0].contains("App ID app_1 at https://api.example.com"))
        #expect(printed.text.contains("wrote \(file)"))
    }

    @Test(arguments: ["n", "", "maybe", nil])
    func `Without the user's consent, the command that opens a setup link writes nothing and exits with 1`(
        line: String?
    ) throws {
        let (session, printed, _) = session(typing: line)
        #expect(throws: ExitCode(1)) { try setup().run(in: session) }
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(printed.text == "nothing was changed\n")
    }

    @Test func `The question about a setup link shows the current App ID that the link would replace`() throws
    {
        try "app_id: app_old\n".write(toFile: file, atomically: true, encoding: .utf8)
        let (session, _, asked) = session(typing: "n")
        #expect(throws: ExitCode(1)) { try setup().run(in: session) }
        #expect(asked.value[0].contains("App ID app_1 instead of App ID app_old"))
    }

    @Test func `Opening a setup link without a terminal exits with 64`() throws {
        let (session, _) = daemon.session()
        let complaint = #expect(throws: CommandError.self) { try setup().run(in: session) }
        #expect(complaint?.status == .usage && !FileManager.default.fileExists(atPath: file))
    }
}
