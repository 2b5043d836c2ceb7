import Config

func checkConfig(_ bytes: [UInt8]) throws(Broken) {
    do throws(ConfigurationError) {
        _ = try Configuration(bytes: bytes, file: "config.yaml", environment: ["HOME": "/home/person"])
    } catch {
        try check(error, of: bytes)
    }
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else { return }
    var written = ConfigurationText(existing: text, file: "config.yaml")
    guard (try? written.set(appID: "app_fuzz", apiURL: nil)) != nil else { return }
    let account = try? Configuration(yaml: written.text, file: "config.yaml").accounts.first
    try hold(account?.appID == "app_fuzz", "what was set is read: \(written.text)")
}

/// An error names its line, in one line.
private func check(_ error: ConfigurationError, of bytes: [UInt8]) throws(Broken) {
    let lines = bytes.count { $0 == 10 || $0 == 13 } + 1
    try hold(error.file == "config.yaml", "\(error) names the file")
    try hold(!error.sentence.isEmpty, "an error has a sentence")
    try hold(!error.description.unicodeScalars.contains { $0.value < 32 }, "\(error) is one line")
    guard String(validating: bytes, as: UTF8.self) != nil else { return }
    try hold(error.line != nil, "\(error) names a line")
    try hold((1...lines + 1).contains(error.line ?? 0), "\(error) names a line of the file, of \(lines)")
}
