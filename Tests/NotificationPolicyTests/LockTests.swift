import Config
import CutieAPI
import NotificationPolicy
import Testing

/// Tests of notifications while the screen is locked.
struct LockTests {
    private typealias Preview = NotificationConfiguration.Preview
    private typealias Locked = NotificationConfiguration.LockScreenPreview

    private let now = ClockReading(time: Timestamp(milliseconds: 1_780_000_000_000), uptime: .seconds(7))

    private func policy(
        _ preview: Preview, _ locked: Locked, isLocked: Bool
    ) -> Policy {
        var configuration = NotificationConfiguration()
        (configuration.preview, configuration.locked) = (preview, locked)
        var policy = Policy(configuration, zone: .greenwich)
        policy.isLocked = isLocked
        return policy
    }

    /// Each row contains the setting `preview`, the setting `locked`, the expected preview on a locked
    /// screen, whether the daemon must query the lock state, and the expected note in the ledger.
    private static let table: [(Preview, Locked, Preview, Bool, String?)] = [
        (.full, .full, .full, false, nil),
        (.full, .sender, .sender, true, "without text: the screen is locked"),
        (.full, .count, .count, true, "without names and text: the screen is locked"),
        (.full, .hold, .count, true, "without names and text: the screen is locked"),
        (.sender, .full, .sender, false, nil),
        (.sender, .sender, .sender, false, nil),
        (.sender, .count, .count, true, "without names and text: the screen is locked"),
        (.sender, .hold, .count, true, "without names and text: the screen is locked"),
        (.count, .full, .count, false, nil),
        (.count, .sender, .count, false, nil),
        (.count, .count, .count, false, nil),
        (.count, .hold, .count, true, nil),
    ]

    @Test(arguments: table)
    func `A locked screen never raises the preview level`(
        preview: NotificationConfiguration.Preview, locked: NotificationConfiguration.LockScreenPreview,
        shown: NotificationConfiguration.Preview, matters: Bool, note: String?
    ) {
        let dark = policy(preview, locked, isLocked: true)
        #expect(dark.preview(at: now) == shown)
        #expect(dark.hiddenContentDescription(at: now) == note)
        #expect(dark.dependsOnLock == matters)
        #expect(dark.isHeldByLock == (locked == .hold))
        let bright = policy(preview, locked, isLocked: false)
        #expect(bright.preview(at: now) == preview)
        #expect(bright.hiddenContentDescription(at: now) == nil)
        #expect(!bright.isHeldByLock)
    }

    @Test func `A private pause and missing presence also lower the preview level on a locked screen`() {
        var paused = policy(.full, .full, isLocked: true)
        paused.pause = .init(end: nil, isPrivate: true)
        #expect(paused.preview(at: now) == .count)
        #expect(paused.hiddenContentDescription(at: now) == nil, "the pause removed the text")
        var absent = policy(.full, .full, isLocked: true)
        absent.texts = .until(.zero)
        #expect(absent.preview(at: now) == .sender)
    }

    @Test func `By default, notifications on a locked screen show only a count`() {
        var policy = Policy(zone: .greenwich)
        policy.isLocked = true
        #expect(policy.preview(at: now) == .count)
    }
}
