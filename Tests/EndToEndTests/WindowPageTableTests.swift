import Foundation
import TestSupport
import Testing

/// Tests that open each page with the option `--page`, in each state of the daemon and of the account.
@Suite struct `Each page in each state` {
    enum State: String, Sendable, CaseIterable {
        case noDaemon, noAccount, device, staff, identity, offline

        fileprivate func configuration(_ fixture: EndToEndFixture) -> String? {
            switch self {
            case .noAccount: nil
            case .noDaemon, .device, .offline:
                "app_id: \(fixture.sandbox.appID)\napi_url: \(fixture.sandbox.url)\n"
            case .staff, .identity: "kind: \(rawValue)\napi_url: \(fixture.sandbox.url)\nsecrets: file\n"
            }
        }
    }

    /// The expected content of a page in each state. The content is shown in the main window for the states
    /// in `main`, and otherwise in the window of the page.
    private struct Row {
        let page: String
        let title: String
        let words: [State: String]
        var main: Set<State> = []
    }

    private static func row(
        _ page: String, _ title: String, _ device: String, staff: String? = nil, identity: String? = nil,
        needsDaemon: Bool = true, main: Set<State> = []
    ) -> Row {
        Row(
            page: page, title: title,
            words: [
                .noDaemon: needsDaemon ? "Cuti-E Is Not Running" : device,
                .noAccount: needsDaemon ? "No Account Is Set Up" : device,
                .device: device, .offline: device, .staff: staff ?? device,
                .identity: identity ?? staff ?? device,
            ], main: main)
    }

    private static let rows = [
        row("questions", "Questions", "No Questions"),
        row("outbox", "Outbox", "Outbox Is Empty"),
        row("devices", "Linked Devices", "Show Code", staff: "No App Is Set Up"),
        row("hand-over", "Feedback from Other Apps", "App Link"),
        row("apps", "Apps and Permissions", "No app has requested access yet"),
        row("pause", "Pause Notifications", "For 1 Hour"),
        row("settings", "Settings", "Quiet Hours", needsDaemon: false),
        row("setup", "Set Up", "App ID", needsDaemon: false, main: [.noAccount]),
        row(
            "sign-in", "Your Profile", "No Sign-In Needed", staff: "You Are Not Signed In",
            main: [.staff, .identity]),
        row(
            "home", "Home", "You are up to date", staff: "You are not signed in"),
        row(
            "statistics", "Statistics", "For Support Staff", staff: "You Are Not Signed In",
            identity: "For Support Staff"),
        row(
            "canned", "Canned Responses", "For Support Staff", staff: "You Are Not Signed In",
            identity: "For Support Staff"),
    ]

    @Test(.timeLimit(.minutes(10)), arguments: State.allCases)
    func `Each page shows its content or a placeholder, and is not opened twice`(state: State)
        async throws
    {
        try await EndToEndFixture.with({ $0.isConnected = false }) { fixture in
            let user = try await DesktopUser(before: "cutied-inbox", on: fixture.bus)
            try await configure(fixture, state)
            let window = try fixture.startWindow([], user)
            try await user.waitFor(.frame("Cuti-E"))
            let known = try fixture.startWindow(["--page", "nowhere"], user)
            #expect(try await known.waitForExit() == 65)
            for row in Self.rows {
                #expect(known.standardError.contains(row.page), "\(known.standardError)")
                let words = try #require(row.words[state])
                let place = row.main.contains(state) ? "Cuti-E" : row.title
                for _ in 1...2 {
                    #expect(try await fixture.startWindow(["--page", row.page], user).waitForExit() == 0)
                    try await user.waitFor(.anything(words, in: place))
                }
                try await user.waitForAbsence(.anything("Loading", in: place))
                #expect(try await user.count(.frame(row.title)) == (place == row.title ? 1 : 0))
                // Opening a page must close the other pages, because they contain no unsaved input.
                let others = Self.rows.filter { $0.title != row.title }
                for other in others { try await user.waitForAbsence(.frame(other.title)) }
            }
            try await fixture.saveScreenshot(of: user, "pages-\(state)")
            #expect(window.isRunning, "\(window.standardError)")
            window.signal(SIGTERM)
            try await window.waitForExit()
        }
    }

    private func configure(_ fixture: EndToEndFixture, _ state: State) async throws {
        guard let text = state.configuration(fixture) else {
            return try FileManager.default.removeItem(atPath: fixture.daemon.configurationFile)
        }
        try fixture.daemon.configure(text + "questions: false\n")
        guard state != .noDaemon else { return }
        try await fixture.daemon.start()
        if state == .device || state == .offline { try await fixture.daemon.waitUntilConnected() }
        if state == .offline {
            try await fixture.sandbox.stop()
            try await fixture.daemon.waitForStatus("the account is offline") { $0.state == "offline" }
        }
    }
}
