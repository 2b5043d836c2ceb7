import ArgumentParser
import CommandWords
import ControlAPI
import ControlClient
import TestSupport
import Testing

@testable import Control

/// Tests that text that looks like an option reaches the daemon unchanged.
struct TextArgumentTests {
    private func arguments(_ words: [String]) throws -> [String] {
        try ArgumentNormalizer.normalize(words, forRootCommand: CtlCommand.self)
    }

    /// Parses `words` in the same way as the program. Runs a parsed help command, which throws the help text.
    private func parsed(_ words: [String]) throws -> any ParsableCommand {
        var command = try CtlCommand.parseAsRoot(arguments(words))
        if !(command is any Verb) { try command.run() }
        return command
    }

    @Test func `The text corpus has at least sixty different strings`() {
        #expect(CorpusText.all.count >= 60)
        #expect(Set(CorpusText.all.map { Array($0.text.utf8) }).count == CorpusText.all.count)
    }

    @Test(arguments: CorpusText.all)
    func `Every command sends its text argument unchanged, or exits with a code other than 0`(
        text: CorpusText
    )
        throws
    {
        let verbs: [(words: [String], read: (any ParsableCommand) -> String?)] = [
            (["reply", "conv_1", text.text, "--json"], { ($0 as? ReplyVerb)?.message }),
            (["reply", "--json", "conv_1", text.text], { ($0 as? ReplyVerb)?.message }),
            (["note", "conv_1", text.text, "--account", "work"], { ($0 as? NoteVerb)?.message }),
            (["new", text.text, "--category", "bug", "--title", "T"], { ($0 as? NewVerb)?.message }),
            (["new", "--category", "bug", "--title", text.text, "x"], { ($0 as? NewVerb)?.title }),
            (["canned", "add", "--title", "T", text.text], { ($0 as? CannedVerb.Add)?.content }),
            (["canned", "add", "--title", text.text, "x"], { ($0 as? CannedVerb.Add)?.title }),
            (["search", text.text, "--limit", "3"], { ($0 as? SearchVerb)?.words.joined(separator: " ") }),
            (["open", text.text], { ($0 as? OpenVerb)?.conversation }),
            (["tag", "conv_1", "add", text.text], { ($0 as? TagVerb)?.tag }),
            (["user", "set", "--name", text.text], { ($0 as? UserVerb.Set)?.name }),
            (["link", "confirm", "token", "--name", text.text], { ($0 as? LinkVerb.Confirm)?.name }),
            (["service", "--mine", text.text], { ($0 as? ServiceVerb.List)?.words.joined(separator: " ") }),
        ]
        // `open` and `service --mine` require no operand, so these verbs parse the text `--json` as the
        // option.
        for verb in verbs where text.text != "--json" || !["open", "service"].contains(verb.words[0]) {
            do {
                let read = verb.read(try parsed(verb.words))
                #expect(read.map { Array($0.utf8) } == Array(text.text.utf8), "\(verb.words.prefix(3))")
            } catch {
                let code =
                    Control.CommandError(error)?.status.rawValue
                    ?? CtlCommand.exitCode(for: error).rawValue
                let isHelp = ["-h", "--help"].contains(text.text)
                #expect(code == (isHelp ? 0 : ExitStatus.usage.rawValue), "\(verb.words.prefix(3)): \(error)")
                let isUnsearchable = verb.words[0] == "search" && text.text.allSatisfy(\.isPunctuation)
                #expect(text.isOption || text.isEmpty || isUnsearchable, "\(verb.words.prefix(3)): \(error)")
            }
        }
    }

    @Test(arguments: CorpusText.all)
    func `After the argument "--", every string is parsed as an operand`(text: CorpusText) throws {
        let verb = try parsed(["reply", "--json", "--", "conv_1", text.text])
        #expect((verb as? ReplyVerb)?.message == text.text)
    }

    @Test(arguments: [
        ["reply", "-h"], ["reply", "--help"], ["reply", "conv_1", "text", "--help"], ["canned", "add", "-h"],
        ["-h"],
        ["canned", "--help"], ["--help"],
    ])
    func `The options -h and --help print the help`(words: [String]) throws {
        let error = try #require(throws: (any Error).self) { try parsed(words) }
        #expect(CtlCommand.exitCode(for: error).isSuccess)
        #expect(CtlCommand.fullMessage(for: error).contains("USAGE: ctl"))
    }

    @Test(arguments: [
        ["-help"], ["-H"], ["--helpme"], ["reply", "-H"], ["reply", "conv_1", "text", "--version"],
        ["reply", "conv_1", "--version"], ["reply", "conv_1", "text", "--experimental-dump-help"],
        ["reply", "conv_1", "text", "--help-hidden"],
        ["reply", "conv_1", "--generate-completion-script=bash"],
        ["inbox", "-unread"], ["status", "-hj"], ["reply", "conv_1", "text", "--titel", "x"],
    ])
    func `A misspelled option causes a usage error and does not print help`(words: [String]) {
        #expect {
            try parsed(words)
        } throws: {
            let known = Control.CommandError($0)?.status.rawValue
            return known ?? CtlCommand.exitCode(for: $0).rawValue == ExitStatus.usage.rawValue
        }
    }

    @Test(arguments: [
        ["reply", "conv_1", "text", "--reopen", "--account", "work"],
        ["reply", "--reopen", "conv_1", "--account=work", "text"],
        ["reply", "conv_1", "--reopen", "--account", "work", "text"],
    ])
    func `Options are accepted before and after the message argument of a command`(words: [String]) throws {
        let verb = try #require(try parsed(words) as? ReplyVerb)
        #expect(verb.reopen && verb.account.name == "work" && verb.message == "text")
    }

    @Test(arguments: [
        (["inbox", "--limit", "-3"], "use a whole number from 1 up"),
        (["show", "conv_1", "--limit=0"], "use a whole number from 1 up"),
        (["search", "a", "--limit", "many"], "use a whole number from 1 up"),
        (["watch", "--since", "-1"], "use a whole number from 0 up"),
        (["stats", "--days", "3651"], "use a whole number from 1 to 3650"),
        (["pause", "-5m"], "use whole seconds, or a duration such as 90s, 5m, 1h or 2d"),
        (["pause", "-1h"], "use whole seconds, or a duration such as 90s, 5m, 1h or 2d"),
        (["pause", "--until", "7"], "use a time of day such as 14:30, or tomorrow"),
        (["pause", "--until", "+7:00"], "use a time of day such as 14:30, or tomorrow"),
        (["pause", "--until", "12:60"], "use a time of day such as 14:30, or tomorrow"),
        (["wait", "--timeout", "-1"], "use whole seconds, or a duration such as 90s, 5m, 1h or 2d"),
        (["wait", "--timeout", "4000d"], "use at most 3660d"),
        (["search", ""], "the search words are missing"),
        (["search", " ", ""], "the search words are missing"),
        (
            ["search", "!!!"],
            "the search words consist only of punctuation; add a letter, a digit or an emoji"
        ),
        (
            ["search", "-", "…", "$"],
            "the search words consist only of punctuation; add a letter, a digit or an emoji"
        ),
        (["service", "list", ""], "the search words are missing"),
    ])
    func `An invalid option value is rejected with a reason`(words: [String], reason: String) throws {
        let error = try #require(throws: (any Error).self) { try parsed(words) }
        #expect(CtlCommand.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
        #expect(CtlCommand.message(for: error).hasSuffix(reason), "\(CtlCommand.message(for: error))")
    }

    @Test(arguments: ["a", "7", "#7", "東", "ก", "👍", "€", "C++", "!!! ok"])
    func `A search with at least one letter, digit or emoji is accepted`(words: String) throws {
        #expect((try parsed(["search", words]) as? SearchVerb)?.words == [words])
    }

    @Test(arguments: [
        ["pause", "5m", "--private"], ["snooze", "c1", "4h", "--account", "work"],
        ["snooze", "--account", "work", "c1", "4h"],
    ])
    func `A duration such as "5m" before or after an option is not parsed as an option`(words: [String])
        throws
    {
        let normal = try ArgumentNormalizer.normalize(words, forRootCommand: CtlCommand.self)
        #expect(Set(normal.filter { $0 != "--" }) == Set(words))
        _ = try CtlCommand.parseAsRoot(normal)
    }
}
