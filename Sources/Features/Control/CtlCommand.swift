public import ArgumentParser

/// The command `cutied ctl`, which controls the daemon from a terminal or a script.
public struct CtlCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "ctl",
        abstract: "Talk to the running daemon.",
        discussion: """
            Examples:
              cutied ctl status
              cutied ctl inbox --unread
              cutied ctl reply conv_42 'Works now, thank you!'
              cutied ctl watch --json | jq .type

            With --json, each verb prints the daemon's reply unchanged. Exit codes: 0 done, 1 failed or "no", \
            64 usage, 65 invalid data, 66 not found, 69 daemon or API not reachable, 75 queued, \
            76 invalid response, 77 not authorized, 78 config.
            """,
        groupedSubcommands: [
            .init(
                name: "Daemon",
                subcommands: [
                    StatusVerb.self, WaitVerb.self, WatchVerb.self, ReloadVerb.self, ReconnectVerb.self,
                ]),
            .init(
                name: "Conversation",
                subcommands: [
                    InboxVerb.self, ShowVerb.self, OpenVerb.self, SearchVerb.self, NewVerb.self,
                    ReplyVerb.self,
                    ReadVerb.self, UnreadVerb.self, ClearBadgeVerb.self, MuteVerb.self, UnmuteVerb.self,
                    SnoozeVerb.self, UnsnoozeVerb.self,
                    OutboxVerb.self,
                ]),
            .init(
                name: "Support staff",
                subcommands: [
                    AssignVerb.self, SetVerb.self, NoteVerb.self, TagVerb.self, TagsVerb.self,
                    CannedVerb.self, StatsVerb.self,
                ]),
            .init(
                name: "Identity and device",
                subcommands: [
                    SignInVerb.self, SignOutVerb.self, WhoamiVerb.self, UserVerb.self, QuestionsVerb.self,
                    ConsentVerb.self, LinkVerb.self, AppVerb.self,
                    AttestVerb.self, PushVerb.self, SubscriptionVerb.self,
                ]),
            .init(name: "Apps and services", subcommands: [AccessVerb.self, ServiceVerb.self]),
            .init(
                name: "Notification",
                subcommands: [
                    PauseVerb.self, ResumeVerb.self, NotificationsVerb.self, ExplainVerb.self,
                ]),
        ])

    public init() {}

    /// Returns whether `word` is a verb of `ctl`.
    public static func isVerb(_ word: String) -> Bool {
        configuration.subcommands.contains {
            $0.configuration.commandName == word || $0.configuration.aliases.contains(word)
        }
    }
}

/// A verb of `ctl`, which parses arguments, makes calls and prints through a session.
protocol Verb: AsyncParsableCommand {
    var options: CommonOptions { get }

    func run(in session: Session) async throws
}

extension Verb {
    func run() async throws {
        try await run(in: try .makeForThisProcess(options: options))
    }
}
