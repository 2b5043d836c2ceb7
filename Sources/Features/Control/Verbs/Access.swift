import ArgumentParser
import ControlAPI
import ControlClient
import Localization

struct AccessVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access", abstract: "List or revoke the access of apps on this desktop.",
        discussion: """
            An app must request access first; `cutied ctl questions` lists the open requests. \
            "unverified" means that your system could not verify the app's name.

            Examples:
              cutied ctl access
              cutied ctl access revoke Notes --dry-run
              cutied ctl access revoke Notes --forget
            """,
        subcommands: [List.self, Revoke.self], defaultSubcommand: List.self)

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the access that was allowed or denied, newest first.")

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            try await session.printReply(to: ListGrants())
        }
    }

    struct Revoke: Verb {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke an app's access, or remove a denial.",
            discussion: """
                The app's tokens are revoked immediately and its account is removed. The conversations of that \
                account stay stored unless --forget is given. After a denial is removed, the app may ask again.
                """)

        @Argument(
            help: "Name, program or account of the app, as in the list.", completion: .apps)
        var app: String

        @Flag(help: "Only list what would be deleted or revoked.")
        var dryRun = false

        @Flag(help: "Also delete the conversations of the app's account.")
        var forget = false

        @OptionGroup var options: CommonOptions

        func run(in session: Session) async throws {
            let known = try await session.call(ListGrants()).reply.grants
            let revocation = RevokeGrant(
                app: try known.findAppIdentity(named: app), dryRun: dryRun ? true : nil,
                forget: forget ? true : nil)
            try session.printEffects(of: try await session.call(revocation), isDryRun: dryRun)
        }
    }
}

extension [GrantView] {
    /// Returns the identity of the app with the name `word`; `word` itself if no app has this name.
    ///
    /// - Throws: a `CommandError` with the choices if several apps have this name.
    func findAppIdentity(named word: String) throws -> String {
        if contains(where: { $0.app == word }) { return word }
        let found = filter { $0.names.contains(word) }
        // Ignore ended grants if there are current grants, because an ended grant cannot be revoked and must
        // not make a name ambiguous.
        let current = found.filter { !$0.hasEnded }
        let apps = Set((current.isEmpty ? found : current).map(\.app)).sorted()
        guard apps.count < 2 else {
            throw CommandError(
                .badData, "\(word) is the name of several apps",
                advice: "use one of: " + apps.joined(separator: ", "))
        }
        return apps.first ?? word
    }
}

extension GrantView {
    /// The names by which the user may refer to the app: every name that the list shows.
    fileprivate var names: Set<String> {
        var names: Set = [appName, program]
        // The account of a grant for services belongs to the user, so it is not a name of the app.
        if kind == Kind.feedback.rawValue, let account { names.insert(account) }
        return names
    }

    fileprivate var hasEnded: Bool { state == State.expired.rawValue || state == State.revoked.rawValue }

    fileprivate var program: String { AppIdentity.displayName(of: app) }

    /// The permission as text: `read conversations with users at Help Desk`.
    fileprivate var requestText: String {
        if kind == Kind.feedback.rawValue {
            return "show replies from its developers" + (account.map { ", in account \($0)" } ?? "")
        }
        let wishes = protocols.map(protocolLabel).joined(separator: ", ")
        let wish = wishes.isEmpty ? kind : wishes
        return services.isEmpty ? wish : wish + " at " + services.joined(separator: ", ")
    }

    /// Returns the expiry of the grant; empty if the grant has ended.
    private func expiryText(in format: TextFormat) -> String {
        hasEnded
            ? ""
            : format.relativeTimeText(
                for: expiresAt, otherwise: state == State.granted.rawValue ? "no end" : "")
    }

    private var style: TextStyle? {
        switch State(rawValue: state) {
        case .granted: .green
        case .asked: .yellow
        case .refused: .red
        case .expired, .revoked: .faint
        case nil: nil
        }
    }

    /// The program. A long path is truncated at the front, because its end is more significant.
    private var shortProgram: String {
        let most = 30
        return program.count > most ? "…" + program.suffix(most - 1) : program
    }

    fileprivate func makeRow(in format: TextFormat) -> [Table.Cell] {
        [
            .init(appName),
            verified ? .init(shortProgram) : .init("unverified: " + shortProgram, .yellow),
            .init(state, style), .init(format.relativeTimeText(for: decidedAt ?? askedAt)),
            .init(expiryText(in: format)),
            .init(requestText),
        ]
    }
}

extension ListGrants.Reply: HumanReadable {
    func text(in format: TextFormat) -> String {
        if grants.isEmpty { return "no app has requested access\n" }
        var table = Table([
            .init("APP", limit: 24), .init("PROGRAM"), .init("STATE"), .init("SINCE"), .init("UNTIL"),
            .init("WHAT"),
        ])
        for grant in grants { table.append(grant.makeRow(in: format)) }
        // Never truncate the permissions of an app, because the user decides about them.
        var endless = format
        endless.width = .max
        return table.text(in: endless)
    }
}

extension Session {
    /// Prints the effects of the revocation, one per line.
    func printEffects(of response: DaemonReply<RevokeGrant.Reply>, isDryRun: Bool) throws {
        if json { return try output.write(response.line) }
        let lost = response.reply.lost
        guard !lost.isEmpty else {
            return try output.write(
                isDryRun ? "nothing would be deleted or revoked\n" : "nothing was deleted or revoked\n")
        }
        let lines = lost.map { "  " + TerminalText.singleLine($0) + "\n" }
        try output.write(
            (isDryRun ? "would be deleted or revoked:\n" : "deleted or revoked:\n") + lines.joined())
    }
}
