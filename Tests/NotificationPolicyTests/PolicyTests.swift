import Config
import CutieAPI
import NotificationPolicy
import Testing

struct PolicyTests {
    private let now = ClockReading(time: Timestamp(milliseconds: 1_780_000_000_000), uptime: .seconds(7))

    private func reply(by sender: SenderType = .admin, priority: Priority? = nil) -> NotificationSubject {
        var conversation = Conversation(id: "c")
        conversation.priority = priority
        return NotificationSubject(
            Message(id: "m", conversation: "c", senderType: sender, text: "Hello", createdAt: now.time),
            in: conversation)
    }

    private func later(_ seconds: Int64) -> ClockReading {
        ClockReading(time: now.time + .seconds(seconds), uptime: now.uptime + .seconds(seconds))
    }

    private func policy(_ change: (inout NotificationConfiguration) -> Void = { _ in }) -> Policy {
        var configuration = NotificationConfiguration()
        change(&configuration)
        return Policy(configuration, zone: .greenwich)
    }

    @Test func `By default, a reply is shown`() {
        #expect(policy().verdict(on: reply(), now: now) == .show)
    }

    @Test func `An urgent reply is suppressed if notifications are off`() {
        var off = policy()
        off.enabled = false
        #expect(
            off.verdict(on: reply(priority: .urgent), now: now) == .suppress(reason: "notifications are off"))
    }

    @Test func `The user's choice to turn notifications on or off overrides the configuration`() {
        var on = policy { $0.enabled = false }
        on.enabled = true
        #expect(on.verdict(on: reply(), now: now) == .show)
    }

    @Test func `System messages are shown only if the configuration enables them`() {
        #expect(policy().verdict(on: reply(by: .system), now: now) != .show)
        let wanted = policy { $0.systemMessages = true }
        #expect(wanted.verdict(on: reply(by: .system), now: now) == .show)
    }

    @Test func `A pause holds replies until the pause ends, but does not hold urgent replies`() {
        var paused = policy()
        paused.pause = .init(end: later(60).uptime, isPrivate: false)
        let end = later(60).time
        let reason = "paused until \(LocalZone.greenwich.clockText(for: end))"
        #expect(paused.verdict(on: reply(priority: .high), now: now) == .hold(reason: reason, until: end))
        #expect(paused.verdict(on: reply(priority: .urgent), now: now) == .show)
        #expect(paused.verdict(on: reply(priority: .high), now: later(60)) == .show)
    }

    @Test(arguments: [-86_400, 86_400] as [Int64])
    func `A pause of eight seconds lasts eight seconds, even if the clock is changed`(_ jump: Int64) {
        var paused = policy()
        paused.pause = .init(end: later(8).uptime, isPrivate: false)
        let (soon, after) = (later(7), later(8))
        let set = [soon, after].map { ClockReading(time: $0.time + .seconds(jump), uptime: $0.uptime) }
        #expect(paused.pause?.wallClockEndTime(using: set[0]) == set[1].time)
        #expect(paused.verdict(on: reply(), now: set[0]) != .show)
        #expect(paused.verdict(on: reply(), now: set[1]) == .show)
    }

    @Test func `During a private pause, replies are shown with less text`() {
        var paused = policy()
        paused.pause = .init(end: nil, isPrivate: true)
        #expect(paused.verdict(on: reply(), now: now) == .show)
        #expect(paused.preview(at: now) == .count)
        #expect(policy().preview(at: now) == .full)
    }

    @Test func `Urgent replies are shown during quiet hours if the configuration allows it`() {
        for breaks in [true, false] {
            let quiet = policy {
                $0.quietHours = QuietHours(from: 0, to: 1439)
                $0.urgentBreaksQuiet = breaks
            }
            #expect(quiet.verdict(on: reply(), now: now) != .show)
            #expect((quiet.verdict(on: reply(priority: .urgent), now: now) == .show) == breaks)
        }
    }

    @Test func `Failure notices are held in the same way as replies`() {
        var off = policy()
        off.enabled = false
        #expect(off.verdictForNotice(now: now) == .suppress(reason: "notifications are off"))
        var paused = policy()
        paused.pause = .init(end: nil, isPrivate: false)
        #expect(paused.verdictForNotice(now: now) == .hold(reason: "paused", until: nil))
        #expect(policy().verdictForNotice(now: now) == .show)
    }
}

extension LocalZone {
    static let greenwich = LocalZone { _ in 0 }
}
