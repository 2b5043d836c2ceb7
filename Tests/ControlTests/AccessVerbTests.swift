import ControlAPI
import TestSupport
import Testing
import VarlinkSocket

@testable import Control

extension GrantView {
    /// Returns a grant that allows an app to show its developers' replies.
    fileprivate static func sample(
        _ name: String = "Notes", app: String = "flatpak:org.example.Notes", account: String? = "notes",
        state: State = .granted
    ) -> GrantView {
        GrantView(
            grantId: "feedback:" + app, account: account, kind: .feedback, app: app, appName: name,
            verified: !app.hasPrefix("executable:"), state: state, askedAt: noon - 60 * minute,
            decidedAt: noon - 3 * minute)
    }

    /// Returns a grant that allows an app to use services.
    fileprivate static func reader(
        account: String? = "work", app: String = "executable:/opt/Mail:2/reader:2049:77"
    ) -> GrantView {
        GrantView(
            grantId: "7", account: account, kind: .services, app: app, appName: "Reader", verified: false,
            protocols: ["com.cuti-e.conversations", "org.example.mail"], services: ["Help Desk", "Mail"],
            state: .granted, askedAt: noon - 60 * minute, decidedAt: noon - 120 * minute,
            expiresAt: noon + 48 * 60 * minute)
    }
}

struct AccessVerbTests {
    private let daemon: StandInDaemon

    init() throws { daemon = try StandInDaemon() }

    /// Runs `access revoke` with `arguments`. Returns the revocations that the daemon received, and the
    /// output.
    private func revoking(
        _ arguments: [String], among grants: [GrantView], json: Bool = false, losing lost: [String] = []
    ) async throws -> (calls: [RevokeGrant], text: String) {
        let (session, printed) = daemon.session(json: json)
        let calls = Shared<[RevokeGrant]>([])
        try await daemon.running {
            $0.on(ListGrants.self) { _ in .init(grants: grants) }
                .on(RevokeGrant.self) { call in
                    calls.value.append(call.parameters)
                    return .init(lost: lost)
                }
        } while: {
            try await ctl(["access", "revoke"] + arguments, in: session)
        }
        return (calls.value, printed.text)
    }

    @Test
    func
        `The list of grants shows granted and refused access, with permissions and with start and end times`()
    {
        let reply = ListGrants.Reply(grants: [
            .sample(), .reader(), .sample("Shout", app: "snap:shout", account: nil, state: .refused),
        ])
        #expect(
            reply.text(in: .plain) == """
                APP     PROGRAM                         STATE    SINCE      UNTIL   WHAT
                Notes   org.example.Notes               granted  3 min ago  no end  show replies from its developers, in account notes
                Reader  unverified: /opt/Mail:2/reader  granted  2 h ago    in 2 d  read conversations with users, org.example.mail at Help Desk, Mail
                Shout   shout                           refused  3 min ago          show replies from its developers

                """)
        #expect(ListGrants.Reply(grants: []).text(in: .plain) == "no app has requested access\n")
    }

    @Test func `A path that is too long for the list of grants is truncated at its beginning`() {
        let long = "executable:/opt/" + String(repeating: "deep/", count: 20) + "notes:1:2"
        let text = ListGrants.Reply(grants: [.sample(app: long)]).text(in: .plain)
        #expect(text.contains("unverified: …eep/deep/deep/deep/deep/notes  granted"), "\(text)")
    }

    @Test func `The name of an app is printed without terminal escape sequences`() {
        let reply = ListGrants.Reply(grants: [.sample("\u{1B}]0;owned\u{7}\nNotes")])
        let text = reply.text(in: .plain)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{7}") && text.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["Notes", "org.example.Notes", "notes", "flatpak:org.example.Notes"])
    func `An app can be selected by any property that the list of grants shows`(word: String) async throws {
        let (calls, text) = try await revoking(
            [word], among: [.reader(), .sample()], losing: ["its account notes ends", "two\u{1B}[2J"])
        #expect(try calls.map(json) == [json(RevokeGrant(app: "flatpak:org.example.Notes"))])
        #expect(
            text.hasPrefix("deleted or revoked:\n  its account notes ends\n  two") && !text.contains("\u{1B}")
        )
    }

    @Test(arguments: [GrantView.State.revoked, .expired])
    func `A grant that has ended is shown without an expiry date`(state: GrantView.State) {
        var grant = GrantView.reader()
        grant.state = state.rawValue
        let text = ListGrants.Reply(grants: [grant]).text(in: .plain)
        #expect(text.contains(state.rawValue) && !text.contains("in 2 d"))
        #expect(ListGrants.Reply(grants: [.reader()]).text(in: .plain).contains("in 2 d"))
    }

    @Test func `A program can be selected by its path alone, without its device and inode numbers`()
        async throws
    {
        let (calls, _) = try await revoking(["/opt/Mail:2/reader"], among: [.reader(), .sample()])
        #expect(calls.map(\.app) == ["executable:/opt/Mail:2/reader:2049:77"])
    }

    @Test func `The option --dry-run is sent to the daemon, and the effects of the revocation are printed`()
        async throws
    {
        let (calls, text) = try await revoking(
            ["Notes", "--dry-run", "--forget"], among: [.sample()], losing: ["its account notes ends"])
        let said = RevokeGrant(app: "flatpak:org.example.Notes", dryRun: true, forget: true)
        #expect(
            try calls.map(json) == [json(said)]
                && text == "would be deleted or revoked:\n  its account notes ends\n")
        #expect(try await revoking(["Notes"], among: [.sample()]).text == "nothing was deleted or revoked\n")
        #expect(
            try await revoking(["Notes", "--dry-run"], among: [.sample()]).text
                == "nothing would be deleted or revoked\n")
    }

    @Test func `With --json, the daemon's reply is printed unchanged`() async throws {
        let (_, text) = try await revoking(["Notes"], among: [.sample()], json: true, losing: ["all"])
        #expect(text == "{\"lost\":[\"all\"]}\n")
    }

    @Test(arguments: ["Notes", "notes"])
    func `The error for an ambiguous app name lists the candidates, and nothing is revoked`(word: String)
        async throws
    {
        let copy = GrantView.sample(word, app: "executable:/tmp/notes:1:2", account: nil, state: .refused)
        let (session, _) = daemon.session()
        let revoked = Shared(false)
        try await daemon.running {
            $0.on(ListGrants.self) { _ in .init(grants: [.sample(), copy]) }
                .on(RevokeGrant.self) { _ in
                    revoked.value = true
                    return .init(lost: [])
                }
        } while: {
            let complaint = await #expect(throws: CommandError.self) {
                try await ctl("access", "revoke", word, in: session)
            }
            #expect(complaint?.status == .badData)
            #expect(
                complaint?.line == "cutied: \(word) is the name of several apps; use one of: "
                    + "executable:/tmp/notes:1:2, flatpak:org.example.Notes")
        }
        #expect(!revoked.value)
    }

    @Test func `An app name is unambiguous even if the app has several grants, or grants that have ended`()
        async throws
    {
        let former = GrantView.sample(app: "executable:/tmp/notes:1:2", account: nil, state: .revoked)
        let both: [GrantView] = [former, .sample(), .reader(app: "flatpak:org.example.Notes")]
        #expect(
            try await revoking(["Notes"], among: both).calls.map(\.app) == ["flatpak:org.example.Notes"])
    }

    @Test func `An app cannot be selected by the name of its account`() async throws {
        #expect(try await revoking(["work"], among: [.reader()]).calls.map(\.app) == ["work"])
    }

    @Test func `The exit code for an unknown app is 66, and the error names the command that lists apps`()
        async throws
    {
        let (session, _) = daemon.session()
        try await daemon.running {
            $0.on(ListGrants.self) { _ in .init(grants: []) }
                .on(RevokeGrant.self) { call in throw NotFound(what: "app", id: call.parameters.app) }
        } while: {
            let complaint = await #expect(throws: CommandError.self) {
                try await ctl("access", "revoke", "Notes", in: session)
            }
            #expect(complaint?.status == .notFound && complaint?.advice.contains("ctl access`") == true)
        }
    }
}
