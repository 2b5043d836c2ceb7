import ArgumentParser
import Testing

@testable import Control

struct VerbParsingTests {
    @Test(arguments: [
        ["status"], ["status", "--json", "--no-wait"], ["clear-badge"], ["clearBadge", "conv_1", "--read"],
        ["inbox", "--unread", "--limit", "5", "--account", "work"], ["show", "conv_1", "--limit", "2"],
        ["new", "--category", "bug", "--title", "T", "text"], ["new"], ["new", "--account", "work"], ["open"],
        ["open", "conv_1", "--account", "work"], ["reply", "conv_1", "-"], ["read", "--all"],
        ["read", "conv_1"], ["unread", "conv_1"], ["mute", "conv_1", "--account", "work"],
        ["unmute", "conv_1"], ["inbox", "--muted"], ["inbox", "--view", "waiting"],
        ["search", "two", "words"], ["watch", "--since", "5"], ["watch", "--waybar"],
        ["wait", "--connected", "--timeout", "5m"], ["pause"], ["pause", "2h", "--private"],
        ["pause", "--until", "14:30"], ["pause", "--until", "tomorrow", "--private"], ["resume"],
        ["notifications"], ["notifications", "off"], ["explain", "msg_1"], ["outbox"], ["outbox", "list"],
        ["questions"], ["questions", "list"], ["questions", "answer"], ["questions", "answer", "3", "allow"],
        ["consent"], ["consent", "on"], ["app"], ["app", "open", "--account", "a"], ["app", "code"],
        ["app", "installed", "--json"], ["app", "list"], ["app", "remove", "notes"],
        ["access"], ["access", "--json"], ["access", "revoke", "Notes", "--dry-run", "--forget"], ["service"],
        ["service", "--mine", "two", "words"], ["service", "list", "--mine", "--account", "work"],
        ["service", "discover"], ["service", "discover", "https://a.example", "--account", "work"],
        ["service", "show", "Desk"], ["service", "forget", "Desk", "--dry-run", "--account", "work"],
        ["questions", "answer", "3", "allow", "--service", "Desk", "--service", "Notes"],
        ["outbox", "--json"], ["outbox", "retry", "7"], ["outbox", "cancel", "7"], ["reload"], ["reconnect"],
    ])
    func `Sample arguments of every command are parsed without an error`(arguments: [String]) {
        #expect(throws: Never.self) { try CtlCommand.parseAsRoot(arguments) }
    }

    @Test(arguments: [
        ["nonsense"], ["show"], ["inbox", "--limit", "0"], ["inbox", "--limit", "-1"], ["read"],
        ["mute"], ["unmute"], ["unread"], ["inbox", "--view", "theirs"],
        ["read", "conv_1", "--all"], ["new", "text"], ["new", "--category", "wrong", "text"],
        ["new", "--category", "bug"], ["new", "--title", "T"], ["open", "conv_1", "conv_2"],
        ["pause", "soon"], ["pause", "1h", "--until", "14:30"], ["pause", "--until", "24:00"],
        ["pause", "0"], ["watch", "--since", "x"], ["watch", "--waybar", "--since", "1"],
        ["questions", "answer", "3"], ["questions", "answer", "3", "maybe"], ["consent", "perhaps"],
        ["questions", "answer", "3", "refuse", "--service", "Desk"],
        ["questions", "answer", "--service", "Desk"],
        ["access", "revoke"], ["access", "list", "Notes"], ["service", "show"], ["service", "forget"],
        ["service", "discover", "https://a.example", "https://b.example"],
        ["app", "remove"], ["notifications", "maybe"], ["search"], ["status", "--nonsense"],
    ])
    func `The program exits with 64 if the ctl command is unknown`(arguments: [String]) {
        #expect {
            try CtlCommand.parseAsRoot(arguments)
        } throws: {
            CtlCommand.exitCode(for: $0).rawValue == ExitStatus.usage.rawValue
        }
    }

    @Test func `The help summary of every command is a short sentence`() throws {
        for verb in CtlCommand.configuration.subcommands {
            let abstract = verb.configuration.abstract
            #expect(abstract.hasSuffix(".") && abstract.count < 80, "\(verb)")
        }
    }

    @Test(arguments: [
        [], ["--json"], ["--no-wait"], ["--no-wait", "--json"], ["--json", "--json"],
    ])
    func `The fast path for status bars parses commands in the same way as ArgumentParser`(
        flags: [String]
    ) throws {
        let read = try #require(PolledCommand(["ctl", "status"] + flags))
        let parsed = try #require(try CtlCommand.parseAsRoot(["status"] + flags) as? StatusVerb)
        #expect(read.json == parsed.options.json && read.noWait == parsed.options.noWait)
        #expect(parsed.account.name == nil && !parsed.conversations)
    }

    @Test(arguments: [
        ["ctl", "status", "--help"], ["ctl", "status", "--account", "a"], ["ctl", "status", "x"],
        ["ctl", "status", "--jso"], ["ctl", "inbox"], ["ctl"], ["status"], [],
    ])
    func `Commands that the fast path for status bars does not support are passed to ArgumentParser`(
        words: [String]
    ) {
        #expect(PolledCommand(words) == nil)
    }

    /// If a verb has no explicit name, ArgumentParser derives the name from the type on every launch, which
    /// takes one sixth of the launch time.
    @Test func `Every command has an explicit name`() throws {
        func check(_ verb: any ParsableCommand.Type) {
            #expect(verb.configuration.commandName != nil, "\(verb)")
            for next in verb.configuration.subcommands { check(next) }
        }
        check(CtlCommand.self)
    }
}
