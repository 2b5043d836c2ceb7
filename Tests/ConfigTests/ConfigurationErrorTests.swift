import Reasons
import Testing

@testable import Config

struct ConfigurationErrorTests {
    @Test(arguments: [
        (
            "app_id: a\nnotifications:\n  preveiw: full\n",
            ":3: notifications.preveiw: is not a known key here; did you mean preview?"
        ),
        ("app-id: a\n", ":1: app-id: is not a known key here; did you mean app_id?"),
        ("hooks: {zzz: 1}\n", ":1: hooks.zzz: is not a known key here; known keys: on_reply"),
        (
            "app_id: a\ntransport: longpoll\n",
            ":2: transport: must be one of auto, stream, long-poll, poll; did you mean long-poll?"
        ),
        ("app_id: [a]\n", ":1: app_id: must be a single text after the colon"),
        (
            "app_id: \"a b\"\n",
            ":1: app_id: must be at most 256 ASCII characters without spaces; copy the value again"
        ),
        (
            "poll_interval: 0\n",
            ":1: poll_interval: must be at least 1 s, written as seconds, or as 90s, 5m, 1h, 2d"
        ),
        (
            "poll_interval: -5\n",
            ":1: poll_interval: must be at least 1 s, written as seconds, or as 90s, 5m, 1h, 2d"
        ),
        ("poll_interval: 40000d\n", ":1: poll_interval: the value must be at most 36525d"),
        ("poll_interval: 99999999999999999999\n", ":1: poll_interval: the value must be at most 36525d"),
        (
            "poll_interval: soon\n",
            ":1: poll_interval: must be at least 1 s, written as seconds, or as 90s, 5m, 1h, 2d"
        ),
        (
            "notifications: {enabled: \"true\"}\n",
            ":1: notifications.enabled: must be true or false, without quotes"
        ),
        (
            "notifications: {max_popups: 0}\n",
            ":1: notifications.max_popups: must be a whole number from 1 to 100"
        ),
        (
            "notifications: {max_popups: 5.5}\n",
            ":1: notifications.max_popups: must be a whole number from 1 to 100"
        ),
        (
            "history: {days: 99999999999999999999}\n",
            ":1: history.days: must be a whole number from 1 to 36525"
        ),
        (
            "history: 7\n",
            ":1: history: must be a group of keys; write `key: value` below it, one pair per line"
        ),
        ("- a\n", ":1: must be a group of keys; write `key: value` below it, one pair per line"),
        ("opener: firefox\n", ":1: opener: must be a program and its arguments, such as [program, argument]"),
        (
            "open_marks_read: sometimes\n",
            ":1: open_marks_read: must be true or false, without quotes"
        ),
        ("opener: []\n", ":1: opener: must begin with a program"),
        (
            "hooks: {on_reply: [\"a\\0b\"]}\n",
            ":1: hooks.on_reply[0]: the value contains a line break or another control character"
        ),
        (
            "rules:\n  - match: {category: bug}\n",
            ":2: rules[0]: has no effect; add `then:` with `show`, `urgency` or `sound`"
        ),
        (
            "rules:\n  - match: {priority: urgant}\n    then: {show: true}\n",
            ":2: rules[0].match.priority: must be one of low, normal, high, urgent; did you mean urgent?"
        ),
        (
            "rules:\n  - match: {priority: huge}\n    then: {show: true}\n",
            ":2: rules[0].match.priority: must be one of low, normal, high, urgent"
        ),
        (
            "rules:\n  - match:\n      status: [open, done]\n    then: {show: true}\n",
            ":3: rules[0].match.status[1]: must be one of open, in_progress, waiting_user, waiting_admin, "
                + "resolved, closed"
        ),
        (
            "rules:\n  - match: {category: praise}\n    then: {show: true}\n",
            ":2: rules[0].match.category: must be one of bug, feature, question, feedback, other"
        ),
        (
            "user_name: Kim\u{202E}\n", ":1: user_name: the value contains invisible characters"
        ),
        (
            "device_context: [locale]\n",
            ":1: device_context[0]: must be one of language, country, app_version, os_version, device_model"
        ),
        (
            "device_context: some\n",
            ":1: device_context: must be none, minimal, standard, all, or a list of fields such as [app_version]"
        ),
        ("tls: {ca_file: ca.pem}\n", ":1: tls.ca_file: must be an absolute path that begins with / or ~/"),
        ("tls: {min_version: 1.1}\n", ":1: tls.min_version: must be one of 1.2, 1.3; did you mean 1.2?"),
        (
            "tls:\n  pins:\n    - sha256//abc\n",
            ":3: tls.pins[0]: the pin “sha256//abc” does not have the form sha256//<base64 of 32 bytes>"
        ),
        ("app_id: a\napp_id: b\n", ":1: app_id: is set twice; remove one"),
        ("app\tid: a\napp\tid: b\n", ":1: app id: is set twice; remove one"),
        (
            "notifications: {sound: /tmp/x.wav}\n",
            ":1: notifications.sound: must be true, false or the name of a sound in the sound theme, such as message-new-instant"
        ),
    ])
    func `An error contains the line, the key, the problem and a solution`(text: String, expected: String)
        throws
    {
        #expect(try complaint(text) == expected)
    }

    @Test(arguments: [
        "app_id: 'a\n", "app_id:\n\t- a\n", "{a: b", "app_id: @x\n", "a: b\n---\nc: d\n", "? *b : c\n",
    ])
    func `A YAML syntax error is reported with its line number`(text: String) throws {
        let complaint = try complaint(text)
        #expect(complaint.contains("is not valid YAML (") && complaint.hasPrefix(":"))
    }

    @Test(arguments: [
        "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22-7", "", "-", "+1:00-02:00",
        "22:00-07:00-08:00",
    ])
    func `Quiet hours that are malformed, or that start and end at the same time, are rejected`(text: String)
        throws
    {
        #expect(
            try complaint("notifications: {quiet_hours: \"\(text)\"}")
                == ":1: notifications.quiet_hours: must be two different times of day, for example \"22:00-07:00\""
        )
    }

    @Test(arguments: [
        "mon 22:00", "monday 22:00-07:00", "mon- 22:00-07:00", "mon-tue-wed 22:00-07:00", ", 22:00-07:00x",
        "mo 22:00-07:00", "mon, 22:00-07:00", "daily 22:00-22:00", "mon 07:00-07:00", "mon",
    ])
    func `Quiet hours are rejected if a day name is invalid or the start and end times are equal`(
        text: String
    )
        throws
    {
        let complaint = try complaint(
            "notifications:\n  quiet_hours:\n    - 22:00-07:00\n    - \"\(text)\"\n")
        #expect(complaint.hasPrefix(":4: notifications.quiet_hours[1]: must be "))
    }

    @Test func `More than 32 periods of quiet hours are rejected`() throws {
        let list = Array(repeating: "'22:00-07:00'", count: 33).joined(separator: ", ")
        #expect(
            try complaint("notifications: {quiet_hours: [\(list)]}")
                == ":1: notifications.quiet_hours: has more than 32 entries; remove some")
    }

    @Test(arguments: [
        "http://example.org", "ftp://example.org", "example.org", "https://anna:pw@example.org", "https://",
        "",
    ])
    func `An API address that is neither HTTPS nor loopback is rejected`(address: String) throws {
        #expect(try complaint("app_id: a\napi_url: \"\(address)\"\n").hasPrefix(":2: api_url: "))
    }

    @Test func `A configuration that is not UTF-8 or is larger than 1 MiB is rejected`() throws {
        let binary = try #require(throws: ConfigurationError.self) {
            try Configuration(bytes: [0xFF, 0xFE, 0x00] as [UInt8], file: file)
        }
        #expect(binary.description == file + ": is not UTF-8; save it as UTF-8")
        let large = try #require(throws: ConfigurationError.self) {
            try Configuration(bytes: [UInt8](repeating: 35, count: (1 << 20) + 1), file: file)
        }
        #expect(large.description == file + ": is larger than 1 MiB; this is not a config file")
    }

    @Test func `An error about an API address does not contain the password in the address`() throws {
        #expect(try !complaint("api_url: https://anna:geheim@example.org\n").contains("geheim"))
    }

    @Test(arguments: [
        ("app_id: a\ntls:\n  ca_file: /gone.pem\n", "f:3: tls.ca_file: no certificates"),
        (
            "accounts:\n  a: {app_id: a, tls: {ca_file: /gone.pem}}\n",
            "f:2: accounts.a.tls.ca_file: no certificates"
        ),
        (
            "accounts:\n  a:\n    kind: staff\n    client_secret_file: /gone\n",
            "f:4: accounts.a.client_secret_file: no secret"
        ),
        ("app_id: a\nopener: [gone, -n]\n", "f:2: opener: no program"),
        ("app_id: a\nhooks:\n  on_reply: [gone]\n", "f:3: hooks.on_reply: no program"),
    ])
    func `If file checks are requested, the error for an unusable file or program contains the line and key`(
        yaml: String, error: String
    ) throws {
        let checks = ConfiguredFileChecks(
            certificates: { $0 == "/gone.pem" ? .text("no certificates") : nil },
            secret: { $0 == "/gone" ? .text("no secret") : nil },
            program: { $0 == "gone" ? .text("no program") : nil })
        let found = #expect(throws: ConfigurationError.self) {
            try Configuration(yaml: yaml, file: "f", checks: checks)
        }
        #expect(found?.description == error)
        #expect(throws: Never.self) { try Configuration(yaml: yaml, file: "f") }
    }
}
