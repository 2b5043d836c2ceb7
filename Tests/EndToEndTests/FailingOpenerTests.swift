import Foundation
import TestSupport
import Testing

/// Tests that a failing opener does not reveal a token: `xdg-open` prints the link if it fails, and the link
/// can contain a feedback token.
@Suite struct `A Feedback App that fails to start` {
    /// Covers each log level and each client that can open the Feedback App.
    @Test(arguments: ["info", "debug", "trace"], Requester.allCases)
    func `If a link cannot be opened, the link's token is revoked and appears in no output`(
        level: String, requester: Requester
    ) async throws {
        let opener = try FailingOpener()
        try await EndToEndFixture.with({
            $0.logLevel = level
            $0.environment = opener.environment
        }) { fixture in
            let output = try await requester.open(fixture)
            let token = try #require(opener.tokens.last, "the opener did not run: \(output)")
            #expect(!output.contains(token))
            await #expect(throws: SandboxFailure.self) { try await fixture.sandbox.redeem(token) }
            try await fixture.daemon.stop()
            #expect(fixture.daemon.journal.contains("ready"))
            #expect(!fixture.daemon.journal.contains(token))
            #expect(!fixture.daemon.journal.contains(FailingOpener.complaint))
        }
    }

    @Test func `The token of a link stays valid if the link is opened`() async throws {
        let opener = try FailingOpener(code: 0)
        try await EndToEndFixture.with({ $0.environment = opener.environment }) { fixture in
            #expect(try await fixture.daemon.ctl("app", "open").code == 0)
            try await fixture.sandbox.redeem(try #require(opener.tokens.last))
        }
    }

    @Test func `A feedback token that another daemon created cannot be cancelled`() async throws {
        try await EndToEndFixture.with { fixture in
            let failure = await #expect(throws: MinimalVarlinkClient.Failure.self) {
                try await fixture.daemon.control.call(
                    "CancelHandOver", ["token": "cutie_ft_foreign"], as: Ignored.self)
            }
            #expect(failure?.error == "io.cutied.Control.InvalidArgument")
        }
    }

    /// A client that asks the daemon to open the Feedback App.
    enum Requester: CaseIterable {
        case ctl, hostApp

        /// Opens the Feedback App. Returns the output or the error of the request.
        func open(_ fixture: EndToEndFixture) async throws -> String {
            switch self {
            case .ctl:
                let run = try await fixture.daemon.ctl("app", "open")
                #expect(run.code == 1)
                return run.output + run.error
            case .hostApp:
                async let configured: Ignored = fixture.daemon.access.call(
                    "Configure",
                    ["appId": fixture.sandbox.appID, "appName": "Notes", "apiUrl": fixture.sandbox.url])
                try await fixture.daemon.answerApp("allow")
                _ = try await configured
                let failure = await #expect(throws: MinimalVarlinkClient.Failure.self) {
                    try await fixture.daemon.access.call("AppOpen", as: Ignored.self)
                }
                #expect(failure?.error == "io.cutied.Access.Failed")
                return failure?.description ?? ""
            }
        }
    }
}

/// A desktop on which a Feedback App is installed. Its `xdg-open` prints its arguments and exits with `code`.
struct FailingOpener {
    static let complaint = "cannot open"
    private let directory: TemporaryDirectory

    /// - Parameter handler: the desktop entry of the program that opens `cutie:` links.
    init(code: Int = 3, handler: String = "feedback.desktop") throws {
        directory = try TemporaryDirectory()
        for name in ["bin", "share/applications"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(name), withIntermediateDirectories: true)
        }
        try installScript(
            """
            #!/bin/sh
            echo "$@" >>'\(directory.file("opened"))'
            echo "\(Self.complaint) $@"
            echo "\(Self.complaint) $@" >&2
            exit \(code)
            """, at: directory.file("bin/xdg-open"))
        try write("share/applications/" + handler, "[Desktop Entry]\nName=Feedback\n")
        try write(
            "share/applications/mimeinfo.cache",
            "[MIME Cache]\nx-scheme-handler/cutie=\(handler);\n")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: directory.file(name), atomically: true, encoding: .utf8)
    }

    var environment: [String: String] {
        [
            "PATH": directory.file("bin") + ":/usr/local/bin:/usr/bin:/bin",
            "XDG_DATA_DIRS": directory.file("share"),
        ]
    }

    /// The tokens in the links that `xdg-open` received.
    var tokens: [String] {
        let text = (try? String(contentsOfFile: directory.file("opened"), encoding: .utf8)) ?? ""
        return text.matches(of: /token=([^&\s]+)/).map { String($0.output.1) }
    }
}
