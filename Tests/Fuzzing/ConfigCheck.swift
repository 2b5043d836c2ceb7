import Config
import Reasons

func checkConfig(_ bytes: [UInt8]) throws(PropertyViolation) {
    do throws(ConfigurationError) {
        _ = try Configuration(bytes: bytes, file: "config.yaml", environment: ["HOME": "/home/person"])
    } catch {
        try check(error, of: bytes)
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else { return }
    var written = ConfigurationText(existing: text, file: "config.yaml")
    if (try? written.setDefaultAccount(appID: "app_fuzz", apiURL: nil)) != nil {
        let accounts = try? Configuration(yaml: written.text, file: "config.yaml").accounts
        let isRead = accounts?.contains {
            $0.name == AccountConfiguration.defaultName && $0.appID == "app_fuzz"
        }
        try require(isRead ?? false, "a value that was set can be read: \(written.text)")
    }
    try checkChanges(of: text)
}

/// Checks that a change affects only its key, and that a rejected change leaves the text unchanged.
private func checkChanges(of text: String) throws(PropertyViolation) {
    guard let before = try? Configuration(yaml: text, file: "config.yaml") else { return }
    for (name, value, effect) in changes {
        var (changed, expected) = (ConfigurationText(existing: text, file: "config.yaml"), before)
        let isOfAccount = name == "user_name"
        let found =
            isOfAccount
            ? try? changed.makeKey(forSetting: name, ofAccount: AccountConfiguration.defaultName)
            : ConfigurationKey(name)
        guard let key = found else {
            try require(isOfAccount, "\(name) is a configuration key")
            continue
        }
        do throws(ConfigurationError) { try changed.set(key, to: value) } catch {
            try require(changed.text == text, "a refused change leaves the text unchanged: \(changed.text)")
            try require(!error.description.unicodeScalars.contains { $0.value < 32 }, "\(error) is one line")
            continue
        }
        effect(&expected)
        let after = try? Configuration(yaml: changed.text, file: "config.yaml")
        try require(after == expected, "only \(key) changes: \(changed.text)")
        var again = ConfigurationText(existing: changed.text, file: "config.yaml")
        try require((try? again.set(key, to: value)) != nil, "\(key) can be set again: \(changed.text)")
        try require(
            again.text == changed.text,
            "setting the same value again leaves the text unchanged: \(again.text)")
    }
}

private typealias Effect = @Sendable (inout Configuration) -> Void

private let changes: [(String, ConfigurationValue?, Effect)] = [
    ("notifications.preview", .text("count"), { $0.notifications.preview = .count }),
    ("notifications.quiet_hours", nil, { $0.notifications.quietHours = nil }),
    ("history.days", .number(7), { $0.history.days = 7 }),
    ("opener", .list([.text("a'b")]), { $0.opener = ["a'b"] }),
    (
        "user_name", nil,
        { configuration in
            let own = configuration.accounts.firstIndex { $0.name == AccountConfiguration.defaultName }
            if let own { configuration.accounts[own].userName = nil }
        }
    ),
]

/// Checks that an error has a line number and fits on one line.
private func check(_ error: ConfigurationError, of bytes: [UInt8]) throws(PropertyViolation) {
    let ends: [Unicode.Scalar] = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"]
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.count { ends.contains($0) } + 1
    try require(error.file == "config.yaml", "\(error) names the file")
    try require(!error.problem.english.isEmpty, "an error has a sentence")
    try require(!error.description.unicodeScalars.contains { $0.value < 32 }, "\(error) is one line")
    guard String(validating: bytes, as: UTF8.self) != nil else { return }
    try require(error.line != nil, "\(error) names a line")
    try require(
        (1...lines + 1).contains(error.line ?? 0), "\(error) names one of the \(lines) lines of the file")
}
