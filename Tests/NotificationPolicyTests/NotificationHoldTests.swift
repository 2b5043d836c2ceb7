import Config
import CutieAPI
import NotificationPolicy
import Testing

struct NotificationHoldTests {
    /// 2026-05-28 20:26:40 UTC.
    private static let now = ClockReading(
        time: Timestamp(milliseconds: 1_780_000_000_000), uptime: .seconds(100))
    private static let hour: Int64 = 3600

    private static func time(_ seconds: Int64) -> Timestamp { now.time + .seconds(seconds) }

    private static func policy(_ change: (inout Policy) -> Void) -> Policy {
        var policy = Policy(zone: .greenwich)
        change(&policy)
        return policy
    }

    private static func quiet(_ policy: inout Policy) {
        policy.configuration.quietHours = QuietHours("20:00-22:00")
    }
    private static let quietEnd = time(5600)

    private static let cases: [(String, Policy, server: Bool, [NotificationHold], change: Duration?)] = [
        ("nothing", policy { _ in }, true, [], nil),
        ("no server", policy { _ in }, false, [NotificationHold(.noServer)], nil),
        (
            "notifications turned off by the user", policy { $0.enabled = false }, true,
            [NotificationHold(.off)], nil
        ),
        (
            "notifications turned off in the configuration", policy { $0.configuration.enabled = false },
            true, [NotificationHold(.off)],
            nil
        ),
        (
            "a pause", policy { $0.pause = .init(end: .seconds(160), isPrivate: false) }, true,
            [NotificationHold(.pause, until: time(60))], .seconds(60)
        ),
        (
            "a pause without an end", policy { $0.pause = .init(end: nil, isPrivate: false) }, true,
            [NotificationHold(.pause)], nil
        ),
        (
            "a pause that has ended", policy { $0.pause = .init(end: .seconds(99), isPrivate: false) }, true,
            [], nil
        ),
        (
            "a private pause", policy { $0.pause = .init(end: .seconds(160), isPrivate: true) }, true,
            [NotificationHold(.privatePause, until: time(60))], .seconds(60)
        ),
        (
            "quiet hours", policy(quiet), true, [NotificationHold(.quietHours, until: quietEnd)],
            .seconds(5600)
        ),
        (
            "later quiet hours", policy { $0.configuration.quietHours = QuietHours("21:00-22:00") }, true,
            [],
            .seconds(2000)
        ),
        ("missing presence", policy { $0.texts = .until(.zero) }, true, [NotificationHold(.presence)], nil),
        (
            "confirmed presence", policy { $0.texts = .until(.seconds(130)) }, true, [], .seconds(30)
        ),
        (
            "all reasons at the same time",
            policy {
                quiet(&$0)
                $0.enabled = false
                $0.texts = .until(.zero)
                $0.pause = .init(end: .seconds(160), isPrivate: false)
            }, false,
            [
                NotificationHold(.off), NotificationHold(.pause, until: time(60)),
                NotificationHold(.quietHours, until: quietEnd), NotificationHold(.noServer),
                NotificationHold(.presence),
            ], .seconds(60)
        ),
    ]

    @Test(arguments: cases.indices)
    func `All holds are listed with their end times, and the next change is at the earliest end time`(
        number: Int
    ) {
        let (name, policy, hasServer, holds, change) = Self.cases[number]
        #expect(policy.currentHolds(at: Self.now, hasServer: hasServer) == holds, "\(name)")
        #expect(policy.timeUntilNextHoldChange(at: Self.now) == change, "\(name)")
    }

    /// The list of holds and the verdict in the ledger must state the same reason.
    @Test(arguments: cases.indices)
    func `The verdict on a held reply contains the reason of the first hold`(number: Int) {
        let (name, policy, _, holds, _) = Self.cases[number]
        let reply = NotificationSubject(
            Message(id: "m", conversation: "c", senderType: .admin, text: "Hi", createdAt: Self.now.time))
        let hold = holds.first { ![.noServer, .presence, .privatePause].contains($0.reason) }
        let reason: String? =
            switch policy.verdict(on: reply, now: Self.now) {
            case .show: nil
            case .hold(let reason, _), .suppress(let reason): reason
            }
        #expect(reason == hold?.description(in: .greenwich), "\(name)")
    }

    @Test
    func
        `Two holds are equivalent if their end times differ by milliseconds, but not if they differ by seconds`()
    {
        let hold = [NotificationHold(.pause, until: Self.now.time)]
        let soon = [NotificationHold(.pause, until: Self.now.time + .milliseconds(3))]
        let later = [NotificationHold(.pause, until: Self.time(10))]
        #expect(hold.isEquivalent(to: soon))
        #expect(!hold.isEquivalent(to: later))
        #expect(!hold.isEquivalent(to: [NotificationHold(.pause)]))
        #expect(!hold.isEquivalent(to: [NotificationHold(.quietHours, until: Self.now.time)]))
        #expect(!hold.isEquivalent(to: []))
    }
}
