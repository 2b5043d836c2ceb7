import Config
import CutieAPI
import Inbox
import Testing

struct PolicyTests {
    private let now = Timestamp(milliseconds: 1_780_000_000_000)

    private func reply(by sender: SenderType = .admin) -> Message {
        Message(id: "m", conversation: "c", senderType: sender, text: "Hello", createdAt: now)
    }

    private func later(_ seconds: Int64) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds + seconds * 1000)
    }

    private func policy(_ change: (inout NotificationConfiguration) -> Void = { _ in }) -> Policy {
        var configuration = NotificationConfiguration()
        change(&configuration)
        return Policy(configuration)
    }

    @Test func `A reply is shown`() {
        #expect(policy().verdict(on: reply(), priority: nil, now: now) == .show)
    }

    @Test func `Notifications that are off stay off for it`() {
        var off = policy()
        off.enabled = false
        #expect(off.verdict(on: reply(), priority: .urgent, now: now) == .never(why: "notifications are off"))
    }

    @Test func `The person's switch is over the configuration's`() {
        var on = policy { $0.enabled = false }
        on.enabled = true
        #expect(on.verdict(on: reply(), priority: nil, now: now) == .show)
    }

    @Test func `System messages are shown only where they are wanted`() {
        #expect(policy().verdict(on: reply(by: .system), priority: nil, now: now) != .show)
        let wanted = policy { $0.systemMessages = true }
        #expect(wanted.verdict(on: reply(by: .system), priority: nil, now: now) == .show)
    }

    @Test func `A pause holds until its end, and urgent ones pass`() {
        var paused = policy()
        paused.pause = .init(until: later(60), isPrivate: false)
        let why = "paused until \(LocalTime(later(60)).clock)"
        #expect(paused.verdict(on: reply(), priority: .high, now: now) == .hold(why: why, until: later(60)))
        #expect(paused.verdict(on: reply(), priority: .urgent, now: now) == .show)
        #expect(paused.verdict(on: reply(), priority: .high, now: later(60)) == .show)
    }

    @Test func `A private pause shows, with less in it`() {
        var paused = policy()
        paused.pause = .init(until: nil, isPrivate: true)
        #expect(paused.verdict(on: reply(), priority: nil, now: now) == .show)
        #expect(paused.preview(at: now) == .count)
        #expect(policy().preview(at: now) == .full)
    }

    @Test func `Quiet hours hold until their end, over midnight too`() throws {
        let minute = LocalTime(now).minuteOfDay
        let quiet = try #require(QuietHours(from: (minute + 1439) % 1440, to: (minute + 61) % 1440))
        let held = policy { $0.quietHours = quiet }
        guard case .hold(_, let end?) = held.verdict(on: reply(), priority: nil, now: now) else {
            Issue.record("it was not held")
            return
        }
        #expect(LocalTime(end).minuteOfDay == quiet.to)
        #expect(end > now && end <= later(61 * 60))
        #expect(held.verdict(on: reply(), priority: nil, now: end) == .show)
    }

    @Test func `Urgent ones break quiet hours where that is configured`() throws {
        let minute = LocalTime(now).minuteOfDay
        let quiet = try #require(QuietHours(from: (minute + 1439) % 1440, to: (minute + 61) % 1440))
        let strict = policy {
            $0.quietHours = quiet
            $0.urgentBreaksQuiet = false
        }
        #expect(strict.verdict(on: reply(), priority: .urgent, now: now) != .show)
        let lenient = policy {
            $0.quietHours = quiet
            $0.urgentBreaksQuiet = true
        }
        #expect(lenient.verdict(on: reply(), priority: .urgent, now: now) == .show)
    }
}

struct PopupTextTests {
    @Test func `One reply is its sender, its conversation and its words`() {
        let text = PopupText.conversation(
            names: ["Ann"], title: "Export", newest: "It is done.", count: 1, preview: .full)
        #expect(text == PopupText(summary: "Ann — Export", body: "It is done."))
    }

    @Test func `Several replies are counted, and the newest is shown`() {
        let text = PopupText.conversation(
            names: ["Ann", "Bob"], title: nil, newest: "And this.", count: 3, preview: .full)
        #expect(text == PopupText(summary: "Ann, Bob", body: "3 new replies\nAnd this."))
    }

    @Test func `A lower preview tells no words, and the lowest no names`() {
        let names = ["Ann"]
        let sender = PopupText.conversation(
            names: names, title: "Export", newest: "Secret", count: 1, preview: .sender)
        #expect(sender == PopupText(summary: "Ann — Export", body: "1 new reply"))
        let count = PopupText.conversation(
            names: names, title: "Export", newest: "Secret", count: 2, preview: .count)
        #expect(count == PopupText(summary: "2 new replies", body: ""))
    }

    @Test func `A digest names what fits`() {
        let text = PopupText.digest(
            titles: ["A", "B", "C", "D", "E"], count: 12, conversations: 5, preview: .full)
        #expect(text == PopupText(summary: "12 unread replies", body: "in 5 conversations\nA, B and 3 more"))
    }
}
