import Foundation
import TestSupport
import Testing

/// Tests of the installed shell completions. Each shell completes the input `cutied ctl VERB ` as if
/// the user pressed TAB.
@Suite struct `Shell completion` {
    struct Shell: CustomTestStringConvertible, Sendable {
        var program: String
        /// The path of a file that completion in this shell requires. If the file is missing, the test is
        /// skipped.
        var needs: String
        /// A script that prints the completions. `$1` is the directory `share`; `$VERB` is the text to
        /// complete after `cutied ctl`.
        var tab: String

        var testDescription: String { program }
        var isInstalled: Bool { FileManager.default.fileExists(atPath: needs) }
    }

    private static let bash = Shell(
        program: "/bin/bash", needs: "/usr/share/bash-completion/bash_completion",
        tab: """
            XDG_DATA_DIRS=$1 BASH_COMPLETION_USER_DIR=$1/bash-completion
            . /usr/share/bash-completion/bash_completion
            if declare -F _comp_load >/dev/null; then _comp_load cutied; else _completion_loader cutied; fi
            COMP_WORDS=(cutied ctl $VERB '') COMP_LINE="cutied ctl $VERB "
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_POINT=${#COMP_LINE}
            $(complete -p cutied | sed 's/.*-F \\([^ ]*\\).*/\\1/') cutied '' "${COMP_WORDS[-2]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
    /// zsh completes only in a terminal, so the script uses a pseudo-terminal. If there are several
    /// candidates, zsh inserts none of them.
    private static let zsh = Shell(
        program: "/bin/zsh", needs: "/bin/zsh",
        tab: """
            zmodload zsh/zpty
            zpty inner zsh -f -i
            zpty -w inner "PROMPT=; fpath=($1/zsh/site-functions \\$fpath); autoload -Uz compinit; compinit -D -u"
            zpty -w inner "show() { print -r -- \\"<\\$BUFFER>\\"; }; zle -N show; bindkey '^X' show"
            zpty -w inner "print -r -- rea''dy"
            zpty -r -m inner said '*ready*'
            zpty -w -n inner "cutied ctl $VERB "$'\\t\\x18'
            zpty -r -m inner said "*<cutied ctl $VERB *>*"
            print -r -- ${${${said##*<cutied ctl $VERB }%%>*}% }
            """)
    private static let fish = Shell(
        program: "/usr/bin/fish", needs: "/usr/bin/fish",
        tab: """
            set -p fish_complete_path $argv[2]/fish/vendor_completions.d
            complete -C "cutied ctl $VERB " | string replace -r '\\t.*' ''
            true
            """)
    private static let shells = [bash, zsh, fish]

    @Test(arguments: shells.filter(\.isInstalled))
    func `TAB completes conversation IDs without executing an ID from the server as a command`(shell: Shell)
        async throws
    {
        let owned = try TemporaryDirectory()
        let traps = [
            "$(:>\(owned.file("a")))", "`:>\(owned.file("b"))`", "${x:=$(:>\(owned.file("c")))}",
            "a;:>\(owned.file("d"))", "$(:>${IFS}\(owned.file("e")))", "--help", "(:>\(owned.file("f")))",
        ]
        let liar = try ScriptedAPI([
            ScriptedAPI.stream: { connection, _, _ in
                connection.beginStream()
                for (index, trap) in traps.enumerated() {
                    connection.reply("\(index)", "m\(index)", in: trap, #","message":"look""#)
                }
                return connection.waitForClose()
            }
        ])
        let installation = try await Installation()
        try await EndToEndFixture.with(liar) { fixture in
            let honest = try await fixture.daemon.startConversation("Honest", account: "honest")
            try await fixture.daemon.waitForStatus("all conversations") {
                $0["liar"]?.badge.total == traps.count
            }
            let offered = try await installation.offers(of: shell, behind: "show", to: fixture)
            #expect(try FileManager.default.contentsOfDirectory(atPath: owned.path) == [])
            #expect(offered == "\(honest)\n")
        }
    }

    @Test(arguments: shells.filter(\.isInstalled))
    func `TAB completes app names after "access revoke" without executing a name as a command`(shell: Shell)
        async throws
    {
        let owned = try TemporaryDirectory()
        let trap = "$(:>\(owned.file("a")))"
        let installation = try await Installation()
        try await EndToEndFixture.with { fixture in
            let refusal = try await fixture.requestAccessAsApp("refuse", name: trap)
            #expect(refusal == "io.cutied.Access.NotAllowed")
            let none = try await installation.offers(of: shell, behind: "access revoke", to: fixture)
            #expect(!none.contains("$"))
            #expect(try await fixture.daemon.ctl("access", "revoke", trap).code == 0)
            #expect(try await fixture.requestAccessAsApp("allow", name: "Notes") == nil)
            let offered = try await installation.offers(of: shell, behind: "access revoke", to: fixture)
            #expect(offered == "Notes\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: owned.path) == [])
        }
    }
}

/// The programs and completions, installed by `make install` in a temporary directory.
private final class Installation: Sendable {
    private let root: TemporaryDirectory

    init() async throws {
        root = try TemporaryDirectory()
        let products = URL(filePath: try BuiltProduct.path(of: "cutied")).deletingLastPathComponent().path
        let make = try ChildProcess(
            "/usr/bin/make",
            [
                "-s", "-C", Self.repository, "install", "PROGRAMS=cutied", "PREFIX=/usr", "STRIP=",
                "DESTDIR=\(root.path)", "CUTIED_PRODUCTS=\(products)",
            ])
        #expect(try await make.waitForExit() == 0, "\(make.standardError)")
    }

    /// Returns the completions for the input `cutied ctl VERB `, where `verb` replaces VERB.
    func offers(
        of shell: `Shell completion`.Shell, behind verb: String, to fixture: EndToEndFixture
    ) async throws -> String {
        let settings = [
            "PATH": "\(root.path)/usr/bin:/usr/bin:/bin", "HOME": root.path, "VERB": verb,
        ]
        // The extra argument `tab` becomes `$0` in other shells, but `$argv[1]` in fish, which has no `$0`.
        let tab = try ChildProcess(
            "/usr/bin/timeout",
            [
                "\(defaultTimeLimit.components.seconds)", shell.program, "-c", shell.tab, "tab",
                "\(root.path)/usr/share",
            ],
            environment: fixture.daemon.environment.merging(settings) { $1 })
        #expect(try await tab.waitForExit() == 0, "\(tab.standardError)")
        return tab.standardOutput
    }

    private static let repository =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
}
