import Config
import Testing

struct QuietPeriodTests {
    @Test(arguments: [
        ("22:00-07:00", "22:00-07:00"), ("9:05 - 10:00", "09:05-10:00"),
        ("mon-fri 22:00-07:00", "mon-fri 22:00-07:00"),
        ("MON,tue,Wed 22:00-07:00", "mon-wed 22:00-07:00"), ("sat,sun 00:00-10:00", "sat,sun 00:00-10:00"),
        ("sat-mon 1:00-2:00", "mon,sat,sun 01:00-02:00"), ("sun-mon 1:00-2:00", "mon,sun 01:00-02:00"),
        ("mon-sun 1:00-2:00", "01:00-02:00"), ("mon - wed, fri 1:00-2:00", "mon-wed,fri 01:00-02:00"),
        ("tue-tue 1:00-2:00", "tue 01:00-02:00"), ("fri,fri 1:00-2:00", "fri 01:00-02:00"),
    ])
    func `A quiet period is formatted in one canonical form and parsed back to the same period`(
        text: String, written: String
    ) throws {
        let period = try #require(QuietHours.Period(text))
        #expect(period.description == written)
        #expect(QuietHours.Period(written) == period)
    }

    @Test(arguments: [
        ("quiet_hours: \"22:00-07:00\"", "22:00-07:00"), ("quiet_hours: [\"22:00-07:00\"]", "22:00-07:00"),
        (
            "quiet_hours: [mon-fri 22:00-07:00, 'sat,sun 0:00-10:00']",
            "mon-fri 22:00-07:00, sat,sun 00:00-10:00"
        ),
        ("quiet_hours: []", nil), ("quiet_hours:", nil),
    ])
    func `Quiet hours may be one period or a list of periods`(line: String, hours: String?) throws {
        let configuration = try Configuration(yaml: "notifications:\n  \(line)\n", file: "config.yaml")
        #expect(configuration.notifications.quietHours?.description == hours)
    }
}
