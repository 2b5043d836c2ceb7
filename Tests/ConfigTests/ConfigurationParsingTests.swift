import CutieAPI
import Reasons
import Testing

@testable import Config

struct ConfigurationParsingTests {
    @Test(arguments: ["", "# nothing\n", "---\n", "~", "app_id:\n", "app_id: ''\n", "transport: poll\n"])
    func `A configuration without an App ID has no account and causes no error`(text: String) throws {
        #expect(try read(text).accounts.isEmpty)
    }

    @Test func `A byte order mark at the start of the file is ignored`() throws {
        let configuration = try read("\u{FEFF}app_id: app_x\nuser_name: Anna\n")
        #expect(configuration.accounts.map(\.appID) == ["app_x"])
        #expect(try complaint("\u{FEFF}app_id: app_x\nnonsense: 1\n").hasPrefix(":2: nonsense"))
    }

    @Test func `An App ID and an API address define the default account`() throws {
        let configuration = try read("app_id: app_1\napi_url: http://127.0.0.1:8787\n")
        var expected = AccountConfiguration(appID: "app_1")
        expected.apiURL = try APIAddress("http://127.0.0.1:8787")
        #expect(configuration.accounts == [expected])
        #expect(expected.name == "default")
    }

    @Test func `A configuration with only an App ID uses the hosted service and the defaults`() throws {
        let account = try #require(try read("app_id: app_1").accounts.first)
        #expect(account.apiURL == .production)
        #expect(account.pollInterval == .seconds(60))
        #expect(account.tls.minimumVersion == .v1_3)
        #expect(account.deviceContext == .none)
        #expect(account.transport == nil)
    }

    @Test func `Every key of an account is parsed`() throws {
        let account = try #require(
            try read(
                """
                accounts:
                  work:
                    app_id: app_1
                    api_url: https://feedback.example.org/base/
                    api_key: k3y
                    transport: long-poll
                    poll_interval: 5m
                    device_context: [language, app_version]
                    app_version: 1.10
                    app_build: "7"
                    bundle_id: org.example.App
                    attestation: tpm2
                    user_id: u-1
                    user_name: Anna Müller
                    tls:
                      min_version: 1.2
                      ca_file: ~/ca.pem
                      pins: [sha256//hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc=]
                """, environment: ["HOME": "/home/anna"]
            ).accounts.first)
        var expected = AccountConfiguration(name: "work", appID: "app_1")
        expected.apiURL = try APIAddress("https://feedback.example.org/base")
        expected.apiKey = "k3y"
        expected.transport = .longPoll
        expected.pollInterval = .seconds(300)
        expected.deviceContext = .fields([.language, .appVersion])
        expected.appVersion = "1.10"
        expected.appBuild = "7"
        expected.bundleID = "org.example.App"
        expected.attestation = .tpm2
        expected.userID = "u-1"
        expected.userName = "Anna Müller"
        expected.tls.minimumVersion = .v1_2
        expected.tls.caFile = "/home/anna/ca.pem"
        expected.tls.pins = [
            try #require(CertificatePin("sha256//hxqRlPTu1bMS/0DITB1SSu0vd4u/8l8TjPgfaAp63Gc="))
        ]
        #expect(account == expected)
    }

    @Test func `Every key that applies to all accounts is parsed`() throws {
        let configuration = try read(
            """
            history: {days: 30}
            notifications:
              enabled: no
              preview: sender
              max_popups: 3
              quiet_hours: "22:00-07:00"
              urgent_breaks_quiet: false
              sound: message-new-instant
              system_messages: true
            opener: [firefox, --new-window]
            open_marks_read: false
            rules:
              - match: {category: bug, priority: [high, urgent], sender: [Anna, Bo]}
                then: {show: silent, urgency: critical, sound: false}
              - then: {show: true}
            hooks: {on_reply: [/usr/local/bin/hook]}
            presence: [sign-in, grant, sign-in]
            access: {enabled: false}
            window: {enter_sends: true}
            secrets: secret-service
            log_level: debug
            """)
        #expect(configuration.history.days == 30)
        let notifications = configuration.notifications
        #expect(!notifications.enabled)
        #expect(notifications.preview == .sender)
        #expect(notifications.maxPopups == 3)
        #expect(notifications.quietHours == QuietHours(from: 22 * 60, to: 7 * 60))
        #expect(!notifications.urgentBreaksQuiet)
        #expect(notifications.sound == .named("message-new-instant"))
        #expect(notifications.systemMessages)
        #expect(configuration.opener == ["firefox", "--new-window"])
        #expect(!configuration.openMarksRead)
        #expect(configuration.hooks.onReply == ["/usr/local/bin/hook"])
        #expect(configuration.presence == [.signIn, .grant])
        #expect(!configuration.access.enabled)
        #expect(configuration.window.enterSends)
        #expect(configuration.secrets == .secretService)
        #expect(configuration.logLevel == .debug)
        try expectRules(configuration.rules)
    }

    private func expectRules(_ rules: [Rule]) throws {
        try #require(rules.count == 2)
        #expect(rules[0].match.category == ["bug"])
        #expect(rules[0].match.priority == ["high", "urgent"])
        #expect(rules[0].match.sender == ["Anna", "Bo"])
        #expect(
            rules[0].then
                == Rule.Outcome(
                    show: .silent, urgency: .critical, sound: NotificationConfiguration.Sound.none))
        #expect(rules[1].match == Rule.Match())
        #expect(rules[1].then.show == .notify)
    }
}

/// The file path that the errors in these tests contain.
let file = "/home/anna/.config/cutied/config.yaml"

func read(_ text: String, environment: [String: String] = [:]) throws(ConfigurationError) -> Configuration {
    try Configuration(yaml: text, file: file, environment: environment)
}

/// Returns the error for the configuration `text`, without the file path.
func complaint(
    _ text: String, environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
    let error = try #require(throws: ConfigurationError.self, sourceLocation: sourceLocation) {
        try read(text, environment: environment)
    }
    return error.description.replacing(file, with: "")
}
