import InboxModel
import Testing

struct SettingsStateTests {
    private func opened(_ change: (inout SettingValues) -> Void = { _ in }) -> SettingsState {
        var (state, values) = (SettingsState(), SettingValues())
        values.names = [.init(account: "default", name: "Anna")]
        change(&values)
        _ = state.handle(.open)
        _ = state.handle(.read(values))
        return state
    }

    @Test(arguments: [
        (1, "After 1 Second"), (60, "After 1 Minute"), (90 * 60, "After 90 Minutes"), (3600, "After 1 Hour"),
        (4 * 3600, "After 4 Hours"), (36 * 3600, "After 36 Hours"), (3 * 86_400, "After 3 Days"),
    ])
    func `A delay is shown in the largest unit that represents the delay exactly`(seconds: Int, text: String)
    {
        #expect(SettingValues.delayText(seconds: seconds) == text)
    }

    @Test func `A setting cannot be changed before all settings are loaded`() {
        var state = SettingsState()
        #expect(state.handle(.open) == [.read])
        #expect(state.phase == .reading)
        #expect(state.handle(.change(.notificationsEnabled(false))).isEmpty)
        _ = state.handle(.unreadable("line 3"))
        #expect(state.phase == .unreadable("line 3"))
        #expect(state.handle(.open) == [.read])
        #expect(state.phase == .reading)
    }

    @Test(
        arguments: [
            .notificationsEnabled(false), .preview(.count), .quietTime(.night), .urgentBreaksQuiet(false),
            .sound(.none),
            .quietTime(.init(from: 0, to: 600, days: .weekend, others: ["mon-fri 22:00-07:00"])),
            .sound(.named("bell")), .systemMessages(true), .locked(.hold), .indicator(true),
            .enterSends(true),
            .name(account: "default", "Bert"),
        ] as [PreferenceChange])
    func `A changed setting is shown immediately and saved`(setting: PreferenceChange) {
        var state = opened()
        let before = state.shown
        #expect(state.handle(.change(setting)) == [.save(setting)])
        let changed = state.shown
        #expect(changed != before)
        #expect(state.handle(.saved(isForLater: false)).isEmpty)
        #expect(state.shown == changed)
        #expect(state.handle(.change(setting)).isEmpty)
    }

    @Test(
        arguments: [
            .notificationsEnabled(false), .preview(.count), .quietTime(.night),
            .name(account: "default", "Bert"),
        ] as [PreferenceChange])
    func `If a change of a setting is refused, the setting is reverted and the reason is shown`(
        setting: PreferenceChange
    ) {
        var state = opened()
        let before = state.shown
        _ = state.handle(.change(setting))
        #expect(state.handle(.refused("no")) == [.read])
        #expect(state.shown == before)
        #expect(state.problems == [setting.topic: "no"])
        _ = state.handle(.change(setting))
        #expect(state.problems.isEmpty)
    }

    @Test func `Only one save runs at a time, and intermediate values of a setting are not saved`() {
        var state = opened()
        #expect(state.handle(.change(.preview(.count))) == [.save(.preview(.count))])
        #expect(state.handle(.change(.preview(.sender))).isEmpty)
        #expect(state.handle(.change(.notificationsEnabled(false))).isEmpty)
        #expect(state.handle(.change(.preview(.full))).isEmpty)
        #expect(state.shown.preview == .full)
        #expect(state.shown.notificationsEnabled == false)
        #expect(state.handle(.saved(isForLater: false)) == [.save(.notificationsEnabled(false))])
        #expect(state.handle(.refused("no")) == [.save(.preview(.full))])
        #expect(state.shown.notificationsEnabled == true)
        #expect(state.handle(.saved(isForLater: false)).isEmpty)
        #expect(state.shown.preview == .full)
    }

    @Test func `If the daemon is not running, one message states that changes take effect later`() {
        var state = opened()
        _ = state.handle(.change(.notificationsEnabled(false)))
        _ = state.handle(.change(.preview(.count)))
        #expect(state.handle(.saved(isForLater: true)) == [.save(.preview(.count))])
        #expect(
            state.handle(.saved(isForLater: true)) == [
                .showToast("Saved. The change takes effect when Cuti-E starts.")
            ])
    }

    @Test func `When quiet hours are turned on again, the previous times are suggested`() {
        let time = SettingValues.QuietTime(from: 60, to: 120)
        var state = opened { $0.quietTime = time }
        _ = state.handle(.change(.quietTime(nil)))
        #expect(state.offeredQuietTime == time)
        #expect(opened().offeredQuietTime == .night)
    }

    @Test func `Selecting the current value of a setting saves nothing`() {
        var state = opened()
        #expect(state.handle(.change(.notificationsEnabled(true))).isEmpty)
        #expect(state.handle(.change(.name(account: "nobody", "x"))).isEmpty)
        #expect(state.handle(.saved(isForLater: true)).isEmpty)
        #expect(state.handle(.refused("x")).isEmpty)
    }
}
