import TestSupport
import Testing

@testable import Config

/// Tests that each random change of a random file sets its key, and leaves the values and lines of all other
/// keys unchanged, byte for byte.
struct ConfigurationChangeLawTests {
    private struct RandomChange: Sendable {
        let key: String
        let value: ConfigurationValue?
        let effect: @Sendable (inout Configuration) -> Void
    }

    private static let changes: [RandomChange] = [
        RandomChange(key: "notifications.enabled", value: .flag(false)) { $0.notifications.enabled = false },
        RandomChange(key: "notifications.enabled", value: nil) { $0.notifications.enabled = true },
        RandomChange(key: "notifications.preview", value: .text("count")) {
            $0.notifications.preview = .count
        },
        RandomChange(key: "notifications.preview", value: nil) { $0.notifications.preview = .full },
        RandomChange(key: "notifications.locked", value: .text("hold")) { $0.notifications.locked = .hold },
        RandomChange(key: "notifications.locked", value: nil) { $0.notifications.locked = .count },
        RandomChange(key: "notifications.max_popups", value: .number(9)) { $0.notifications.maxPopups = 9 },
        RandomChange(key: "notifications.quiet_hours", value: .text("21:30-06:00")) {
            $0.notifications.quietHours = QuietHours(from: 21 * 60 + 30, to: 6 * 60)
        },
        RandomChange(
            key: "notifications.quiet_hours",
            value: .list([.text("mon-fri 22:00-07:00"), .text("sat 0:00-9:00")])
        ) {
            $0.notifications.quietHours = QuietHours(
                ["mon-fri 22:00-07:00", "sat 00:00-09:00"].compactMap { QuietHours.Period($0) })
        },
        RandomChange(key: "notifications.quiet_hours", value: nil) { $0.notifications.quietHours = nil },
        RandomChange(key: "notifications.sound", value: .flag(false)) { $0.notifications.sound = .none },
        RandomChange(key: "notifications.sound", value: .text("off")) {
            $0.notifications.sound = .named("off")
        },
        RandomChange(key: "notifications.system_messages", value: .flag(true)) {
            $0.notifications.systemMessages = true
        },
        RandomChange(key: "history.days", value: .number(7)) { $0.history.days = 7 },
        RandomChange(key: "presence", value: .list([.text("preview"), .text("sign-in")])) {
            $0.presence = [.preview, .signIn]
        },
        RandomChange(key: "access.enabled", value: .flag(false)) { $0.access.enabled = false },
        RandomChange(key: "window.enter_sends", value: .flag(true)) { $0.window.enterSends = true },
        RandomChange(key: "open_marks_read", value: .flag(false)) { $0.openMarksRead = false },
        RandomChange(key: "app_id", value: .text("app_9")) { $0.accounts[0].appID = "app_9" },
        RandomChange(key: "user_name", value: .text("O'Neil # 1: \"x\"")) {
            $0.accounts[0].userName = "O'Neil # 1: \"x\""
        },
        RandomChange(key: "user_name", value: nil) { $0.accounts[0].userName = nil },
        RandomChange(key: "tls.min_version", value: .text("1.2")) {
            $0.accounts[0].tls.minimumVersion = .v1_2
        },
        RandomChange(key: "opener", value: .list([.text("a b"), .text("[c"), .text("d]")])) {
            $0.opener = ["a b", "[c", "d]"]
        },
        RandomChange(key: "opener", value: nil) { $0.opener = nil },
    ]

    @Test(arguments: 0..<8)
    func `A random configuration change affects only the changed key`(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<150 {
            var written = RandomFile(random)
            let text = written.text()
            random = written.random
            let randomChange = try #require(Self.changes.randomElement(using: &random))
            var edited = ConfigurationText(existing: text, file: file)
            let key = try #require(ConfigurationKey(randomChange.key))
            #expect(throws: Never.self, "\(key):\n\(text)") { try edited.set(key, to: randomChange.value) }
            var expected = try read(text)
            randomChange.effect(&expected)
            #expect(try read(edited.text) == expected, "\(randomChange.key):\n\(text)\n→\n\(edited.text)")
            let before = text.split(separator: "\n", omittingEmptySubsequences: false)
            let after = edited.text.split(separator: "\n", omittingEmptySubsequences: false)
            let change = after.difference(from: before)
            #expect(change.insertions.count <= 2 && change.removals.count <= 2, "\(text)\n→\n\(edited.text)")
        }
    }
}

/// A random valid file, with one key per line.
private struct RandomFile {
    var random: SeededGenerator

    init(_ random: SeededGenerator) { self.random = random }

    mutating func text() -> String {
        var parts = [["app_id: " + (["a", "'a'", "\"a\""].randomElement(using: &random) ?? "a")]]
        if chance(2) { parts.append(["user_name: Anna & 'Bert'"]) }
        if chance(3) { parts.append(["user_id: \"x # y\""]) }
        if chance(2) {
            let list = ["device_context:", "- language", "- app_version"]
            parts.append(chance(2) ? list : ["device_context: [language, 'country']"])
        }
        if chance(3) { parts.append(section("tls", ["min_version: '1.3'", "pins: []"])) }
        if chance(2) {
            parts.append(
                section(
                    "notifications",
                    [
                        "enabled: yes", "preview: sender", "sound: bell", "quiet_hours: \"1:00-2:00\"",
                        "max_popups: 2",
                    ]))
        }
        if chance(3) { parts.append(section("history", ["days: 3"])) }
        if chance(3) { parts.append(["#history:", "  # about it", "#  days: 365"]) }
        if chance(4) { parts.append(["#notifications:", "#  preview: full"]) }
        if chance(3) { parts.append(["opener: [firefox, --new-window]"]) }
        if chance(3) { parts.append(["rules:", "  - match: {category: bug}", "    then: {show: silent}"]) }
        if chance(3) { parts.append(["accounts:", "  work:", "    app_id: b", "", "    user_name: Anna"]) }
        parts.shuffle(using: &random)
        var lines = chance(5) ? ["---"] : []
        for part in parts { lines += noise(0) + part.map { comment($0) } }
        lines += noise(0)
        return lines.joined(separator: "\n") + (chance(4) ? "" : "\n")
    }

    private mutating func section(_ name: String, _ keys: [String]) -> [String] {
        let indent = [1, 2, 4].randomElement(using: &random) ?? 2
        let chosen = keys.shuffled(using: &random).prefix(Int.random(in: 0...keys.count, using: &random))
        return [name + ":"]
            + chosen.flatMap { noise(indent) + [String(repeating: " ", count: indent) + $0] }
    }

    private mutating func comment(_ line: String) -> String {
        chance(5) && !line.isEmpty ? line + "  # it's \"so\": [" : line
    }

    private mutating func noise(_ indent: Int) -> [String] {
        guard chance(3) else { return [] }
        let all = ["", String(repeating: " ", count: indent) + "# words: of a person", "#x", "   "]
        return (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in all.randomElement(using: &random)
        }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
}
