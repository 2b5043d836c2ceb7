import CutieAPI
import Testing

@Suite struct TimestampTests {
    static let samples: [(String, Int64)] = [
        ("1700000000000", 1_700_000_000_000),
        ("1700000000", 1_700_000_000_000),
        ("1700000000.5", 1_700_000_000_500),
        ("1700000000000.4", 1_700_000_000_000),
        ("1.7e12", 1_700_000_000_000),
        ("0", 0),
        ("-1", -1),
        ("99999999", 99_999_999),
        ("100000000", 100_000_000_000),
        ("99999999999", 99_999_999_999_000),
        ("100000000000", 100_000_000_000),
        ("9223372036854775807", 8_640_000_000_000_000),
        ("-9223372036854775808", -8_640_000_000_000_000),
        ("9223372036854775808", 8_640_000_000_000_000),
        ("1e300", 8_640_000_000_000_000),
        ("-1e300", -8_640_000_000_000_000),
    ]

    @Test(arguments: samples)
    func `Times in seconds, times in milliseconds and the extreme values are decoded`(
        _ text: String, _ expected: Int64
    )
        throws
    {
        #expect(
            try JSON.decode([Timestamp].self, from: "[\(text)]".utf8) == [Timestamp(milliseconds: expected)])
    }

    @Test(arguments: samples)
    func `A time is unchanged after it is encoded and decoded`(_ text: String, _ expected: Int64) throws {
        let kept = try JSON.encode(try JSON.decode([Timestamp].self, from: "[\(text)]".utf8))
        #expect(try JSON.decode([Timestamp].self, from: kept) == [Timestamp(milliseconds: expected)])
    }

    @Test func `The difference between two decoded times never overflows`() throws {
        let ends = try JSON.decode(
            [Timestamp].self, from: "[9223372036854775807,-9223372036854775808]".utf8)
        #expect(ends[0].milliseconds - ends[1].milliseconds > 0)
    }
}

struct TimestampDurationTests {
    private let latest = Timestamp(milliseconds: .max)
    private let noon = Timestamp(milliseconds: 1_700_000_000_000)

    @Test func `Adding a duration changes a timestamp by whole milliseconds`() {
        #expect(noon + .seconds(2) == Timestamp(milliseconds: 1_700_000_002_000))
        #expect(noon - .microseconds(1_999) == Timestamp(milliseconds: 1_699_999_999_999))
    }

    @Test func `The difference between two timestamps is a duration, which may be negative`() {
        #expect(noon + .seconds(2) - noon == .seconds(2))
        #expect(noon - (noon + .milliseconds(7)) == .milliseconds(-7))
        #expect(latest - Timestamp(milliseconds: .min) > .seconds(1 << 53))
    }

    @Test func `Adding a duration clamps a timestamp to the earliest and latest timestamps`() {
        #expect(latest + .milliseconds(1) == latest)
        #expect(Timestamp(milliseconds: .min) - .milliseconds(1) == Timestamp(milliseconds: .min))
        #expect(noon + .seconds(Int64.max) == latest)
        #expect(Timestamp.epoch - .seconds(Int64.max) == Timestamp(milliseconds: .min))
    }
}
