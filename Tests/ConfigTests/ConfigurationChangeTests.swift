import Reasons
import Testing

@testable import Config

/// Tests of the text of a configuration file after a change.
struct ConfigurationChangeTests {
    private func after(_ before: String?, _ key: String, _ value: ConfigurationValue?) throws -> String {
        var text = ConfigurationText(existing: before, file: file, home: "/home/anna")
        try text.set(#require(ConfigurationKey(key)), to: value)
        return text.text
    }

    @Test(arguments: [
        ("in the line of the key", "notifications:\n  preview: full\n", "notifications:\n  preview: count\n"),
        (
            "with a comment and several spaces", "notifications:\n    preview:  'full'  # mine\n",
            "notifications:\n    preview:  count # mine\n"
        ),
        (
            "in place of an empty value", "notifications:\n  preview: # ?\n",
            "notifications:\n  preview: count # ?\n"
        ),
        (
            "after the last key of the section",
            "notifications:\n  # loud\n  sound: true\n\n# next\nhistory: {days: 3}\n",
            "notifications:\n  # loud\n  sound: true\n  preview: count\n\n# next\nhistory: {days: 3}\n"
        ),
        (
            "with the indentation of the other keys", "notifications:\n      sound: true\n",
            "notifications:\n      sound: true\n      preview: count\n"
        ),
        (
            "below an empty section", "notifications: # later\napp_id: a\n",
            "notifications: # later\n  preview: count\napp_id: a\n"
        ),
        (
            "in a new section at the end", "app_id: a\n# bye\n",
            "app_id: a\nnotifications:\n  preview: count\n# bye\n"
        ),
        (
            "before the document end marker", "app_id: a\n...\n",
            "app_id: a\nnotifications:\n  preview: count\n...\n"
        ),
        ("in an empty file", "", "notifications:\n  preview: count\n"),
        ("in a file that contains only comments", "# one\n", "# one\nnotifications:\n  preview: count\n"),
        ("below the document start marker", "---\n", "---\nnotifications:\n  preview: count\n"),
        (
            "in a commented-out line", "notifications:\n  sound: true\n#  preview: full\n",
            "notifications:\n  sound: true\n  preview: count\n"
        ),
        (
            "in a commented-out section",
            "app_id: a\n\n#notifications:\n  # How much.\n#  preview: full\n#  sound: true\n\n#history:\n#  days: 3\n",
            "app_id: a\n\nnotifications:\n  # How much.\n  preview: count\n#  sound: true\n\n#history:\n#  days: 3\n"
        ),
        (
            "next to a comment that is not a key",
            "notifications:\n  # preview: words of mine\n  sound: true\n",
            "notifications:\n  # preview: words of mine\n  sound: true\n  preview: count\n"
        ),
        (
            "not in the comment of another section",
            "notifications:\n  sound: true\n#tls:\n#  preview: no\n",
            "notifications:\n  sound: true\n  preview: count\n#tls:\n#  preview: no\n"
        ),
        (
            "with the line ending CRLF", "notifications:\r\n  sound: true\r\n",
            "notifications:\r\n  sound: true\r\n  preview: count\r\n"
        ),
        (
            "after a last line without a line ending", "notifications:\n  sound: true",
            "notifications:\n  sound: true\n  preview: count"
        ),
        (
            "with different line endings", "app_id: a\r\nnotifications:\n  preview: full\r\n",
            "app_id: a\r\nnotifications:\n  preview: count\r\n"
        ),
        (
            "after a byte order mark", "\u{FEFF}app_id: a\n",
            "\u{FEFF}app_id: a\nnotifications:\n  preview: count\n"
        ),
        (
            "with a quoted key", "\"notifications\":\n  'preview' : full\n",
            "\"notifications\":\n  'preview' : count\n"
        ),
        (
            "after a value with several lines",
            "user_name: \"An\n  # na\"\nnotifications:\n  sound: >-\n    a\n    # b\n",
            "user_name: \"An\n  # na\"\nnotifications:\n  sound: >-\n    a\n    # b\n  preview: count\n"
        ),
        (
            "with a flow mapping in another section", "history: {days: 3}\nnotifications:\n  sound: true\n",
            "history: {days: 3}\nnotifications:\n  sound: true\n  preview: count\n"
        ),
    ])
    func `Setting a key in a section does not change the lines around the key`(
        place: String, before: String, expected: String
    ) throws {
        #expect(try after(before, "notifications.preview", .text("count")) == expected)
        #expect(try after(expected, "notifications.preview", .text("count")) == expected)
    }

    @Test(arguments: [
        ("app_id: a\nuser_name: Anna\n", "user_name", "app_id: a\n"),
        ("app_id: a\nuser_name: Anna # me\n", "user_name", "app_id: a\n# me\n"),
        (
            "notifications:\n  # night\n  quiet_hours: 22:00-07:00\n", "notifications.quiet_hours",
            "notifications:\n  # night\n"
        ),
        ("app_id: a\n", "user_name", "app_id: a\n"),
        ("app_id: a\nuser_name:\n", "user_name", "app_id: a\nuser_name:\n"),
        ("user_name: Anna\n", "user_name", ""),
        (
            "app_id: a\ndevice_context:\n  - language\n  - country\nhistory:\n  days: 3\n", "device_context",
            "app_id: a\nhistory:\n  days: 3\n"
        ),
        (
            "app_id: a\ndevice_context:\n- language\n- country\n# end\n", "device_context",
            "app_id: a\n# end\n"
        ),
        (
            "accounts:\n  work:\n    app_id: a\n    user_name: Anna\n  home:\n    app_id: b\n",
            "accounts.work.user_name",
            "accounts:\n  work:\n    app_id: a\n  home:\n    app_id: b\n"
        ),
        ("app_id: a\nrules: [{match: {category: bug}, then: {show: silent}}]\n", "rules", "app_id: a\n"),
    ])
    func `A key can be removed from the configuration`(before: String, key: String, expected: String) throws {
        #expect(try after(before, key, nil) == expected)
    }

    @Test(
        arguments: [
            ("notifications.enabled", .flag(false), "notifications:\n  enabled: false\n"),
            ("notifications.max_popups", .number(3), "notifications:\n  max_popups: 3\n"),
            (
                "notifications.quiet_hours", .text("22:00-07:00"),
                "notifications:\n  quiet_hours: '22:00-07:00'\n"
            ),
            (
                "notifications.sound", .text("message-new-instant"),
                "notifications:\n  sound: message-new-instant\n"
            ),
            ("notifications.sound", .text("on"), "notifications:\n  sound: 'on'\n"),
            (
                "notifications.urgent_breaks_quiet", .flag(true),
                "notifications:\n  urgent_breaks_quiet: true\n"
            ),
            ("notifications.system_messages", .flag(true), "notifications:\n  system_messages: true\n"),
            ("history.days", .number(30), "history:\n  days: 30\n"),
            ("app_id", .text("app_1"), "app_id: app_1\n"),
            ("api_url", .text("http://127.0.0.1:8787"), "api_url: http://127.0.0.1:8787\n"),
            ("user_name", .text("Anna: \"Ä\" #1 it's"), "user_name: 'Anna: \"Ä\" #1 it''s'\n"),
            ("user_name", .text("1234"), "user_name: '1234'\n"),
            ("user_name", .text("null"), "user_name: 'null'\n"),
            (
                "opener", .list([.text("firefox"), .text("--new-window")]),
                "opener: [firefox, '--new-window']\n"
            ),
            ("tls.min_version", .text("1.2"), "tls:\n  min_version: '1.2'\n"),
            (
                "hooks.on_reply", .list([.text("/bin/x"), .text("a b")]),
                "hooks:\n  on_reply: [/bin/x, 'a b']\n"
            ),
            (
                "rules",
                .list([
                    .group([
                        "match": .group(["category": .text("bug")]), "then": .group(["show": .flag(true)]),
                    ])
                ]),
                "rules: [{match: {category: bug}, then: {show: true}}]\n"
            ),
        ] as [(String, ConfigurationValue, String)])
    func `A value of each type is written in its YAML form`(
        key: String, value: ConfigurationValue, expected: String
    ) throws {
        #expect(try after("", key, value) == expected)
    }

    @Test(arguments: [
        ("at the top level", "app_id: a\n", "default", "app_id: a\nuser_name: Anna\n"),
        (
            "at the top level, with other accounts", "app_id: a\naccounts:\n  work:\n    app_id: b\n",
            "default",
            "app_id: a\nuser_name: Anna\naccounts:\n  work:\n    app_id: b\n"
        ),
        (
            "in the section accounts", "accounts:\n  work:\n    app_id: b\n  home.2:\n    app_id: c\n",
            "work",
            "accounts:\n  work:\n    app_id: b\n    user_name: Anna\n  home.2:\n    app_id: c\n"
        ),
        (
            "an account name with a dot", "accounts:\n  home.2:\n    app_id: c\n", "home.2",
            "accounts:\n  home.2:\n    app_id: c\n    user_name: Anna\n"
        ),
        (
            "the default account in the section accounts", "accounts:\n  default:\n    app_id: c\n",
            "default",
            "accounts:\n  default:\n    app_id: c\n    user_name: Anna\n"
        ),
    ])
    func `A key of an account is set in the place where the account is defined`(
        place: String, before: String, account: String, expected: String
    ) throws {
        var text = ConfigurationText(existing: before, file: file)
        let found = try text.makeKey(forSetting: "user_name", ofAccount: account)
        let key = try #require(found)
        try text.set(key, to: .text("Anna"))
        #expect(text.text == expected)
    }

    @Test func `Looking up a key of an account returns nil if the file does not contain the account`() throws
    {
        let text = ConfigurationText(existing: "app_id: a\n", file: file)
        #expect(try text.makeKey(forSetting: "user_name", ofAccount: "work") == nil)
        #expect(
            try ConfigurationText(existing: "", file: file).makeKey(
                forSetting: "user_name", ofAccount: "default") == nil)
    }

    @Test func `Setting the first key of a new account adds the account`() throws {
        let before = "accounts:\n  work:\n    app_id: b\n# end\n"
        #expect(
            try after(before, "accounts.home.app_id", .text("c"))
                == "accounts:\n  work:\n    app_id: b\n  home:\n    app_id: c\n# end\n")
    }

    @Test(arguments: [
        (
            "notifications: {sound: true}\n",
            ":1: notifications.preview: is in braces; write one key per line, or edit the file manually"
        ),
        (
            "app_id: a\nnotifications: {}\n",
            ":2: notifications.preview: is in braces; write one key per line, or edit the file manually"
        ),
        (
            "{app_id: a}\n",
            ":1: notifications.preview: is in braces; write one key per line, or edit the file manually"
        ),
        (
            "notifications: &n\n  preview: full\n",
            ":1: notifications.preview: has an anchor, an alias or a tag; write only the value"
        ),
        (
            "notifications:\n  preview: &p full\n",
            ":2: notifications.preview: has an anchor, an alias or a tag; write only the value"
        ),
        (
            "notifications:\n  preview: !!str full\n",
            ":2: notifications.preview: has an anchor, an alias or a tag; write only the value"
        ),
        (
            "notifications:\n  preview:\tfull\n",
            ":2: notifications.preview: has a tab on its line; use spaces"
        ),
        ("notifications:\n  preview: full\n  preview: count\n", ":2: preview: is set twice; remove one"),
        (
            "notifications:\n  preview: >-\n    full\n",
            ":2: notifications.preview: is not set on a line of its own; edit the file manually"
        ),
        (
            "notifications:\n  preview:\n    full\n",
            ":2: notifications.preview: is not set on a line of its own; edit the file manually"
        ),
        (
            "notifications:\n  preview: \"fu\\\n    ll\"\n",
            ":2: notifications.preview: is not set on a line of its own; edit the file manually"
        ),
        (
            "notifications:\n  ? preview\n  : full\n",
            ":2: notifications.preview: is not at the start of a line; write it on a line of its own"
        ),
        (
            "notifications:\n  preview: nothing\n",
            ":2: notifications.preview: must be one of full, sender, count"
        ),
        (
            "notifications: ~\n",
            ":1: notifications.preview: does not have its keys on separate lines; edit the file manually"
        ),
    ])
    func `The error for a key that cannot be changed safely contains the line and the key`(
        before: String, expected: String
    )
        throws
    {
        var text = ConfigurationText(existing: before, file: file)
        let error = #expect(throws: ConfigurationError.self) {
            try text.set(#require(ConfigurationKey("notifications.preview")), to: .text("count"))
        }
        #expect(error?.description == file + expected)
        #expect(text.text == before)
    }

    @Test(arguments: ["app_id: a\n---\napp_id: b\n", "a: &x b\nc: *x\n", "notifications:\n\tpreview: full\n"])
    func `A configuration file is changed only if it is a single YAML document with plain keys`(
        before: String
    ) throws {
        var text = ConfigurationText(existing: before, file: file)
        let error = #expect(throws: ConfigurationError.self) {
            try text.set(#require(ConfigurationKey("notifications.preview")), to: .text("count"))
        }
        #expect(error?.line != nil)
        #expect(text.text == before)
    }

    @Test func `A list that contains comments is not replaced`() throws {
        let before = "device_context:\n  - language # why\n"
        var text = ConfigurationText(existing: before, file: file)
        #expect(throws: ConfigurationError.self) {
            try text.set(#require(ConfigurationKey("device_context")), to: .text("none"))
        }
        #expect(text.text == before)
    }

    @Test(
        arguments: [
            ("notifications.max_popups", .number(0), "must be a whole number from 1 to 100"),
            (
                "notifications.quiet_hours", .text("now"),
                "must be two different times of day, for example \"22:00-07:00\""
            ),
            (
                "notifications.sound", .text("/tmp/a.wav"),
                "must be true, false or the name of a sound in the sound theme, such as message-new-instant"
            ),
            ("user_name", .text("a\nb"), controlCharacters),
            ("user_name", .text("a\u{2028}b"), controlCharacters),
            ("user_name", .text("a\u{1}b"), controlCharacters),
            (
                "user_name", .text(String(repeating: "x", count: 5000)),
                "the value is longer than 4096 bytes"
            ),
            (
                "app_id", .text("a b"),
                "must be at most 256 ASCII characters without spaces; copy the value again"
            ),
        ] as [(String, ConfigurationValue, String)])
    func `A change with an invalid value is rejected, and the error names the key`(
        key: String, value: ConfigurationValue, sentence: String
    ) throws {
        let before = "app_id: a\n"
        var text = ConfigurationText(existing: before, file: file)
        let error = #expect(throws: ConfigurationError.self) {
            try text.set(#require(ConfigurationKey(key)), to: value)
        }
        #expect(error?.problem.english == sentence)
        #expect(error?.key == key)
        #expect(text.text == before)
    }

    @Test func `Several changes are either all applied or all discarded`() throws {
        var text = ConfigurationText(existing: "app_id: a\n", file: file)
        let changes = [
            ConfigurationChange(try #require(ConfigurationKey("user_name")), .text("Anna")),
            ConfigurationChange(try #require(ConfigurationKey("history.days")), .number(0)),
        ]
        #expect(throws: ConfigurationError.self) { try text.apply(changes) }
        #expect(text.text == "app_id: a\n")
    }

    @Test(arguments: [
        "", "accounts", "notifications", "tls", "nothing", "notifications.nothing", "accounts.work",
        "accounts..app_id", "accounts.-a.app_id", "accounts.a b.app_id", "app_id.", ".app_id",
        "accounts.a.tls",
    ])
    func `An unknown key is rejected`(written: String) {
        #expect(ConfigurationKey(written) == nil)
    }

    @Test func `A path in the configuration may begin with a tilde`() throws {
        let before = "app_id: a\ntls:\n  ca_file: ~/ca.pem\n"
        #expect(try after(before, "tls.min_version", .text("1.2")) == before + "  min_version: '1.2'\n")
    }
}

private let controlCharacters = Reason(.controlCharacters).english
