import CutieAPI
import Testing

struct TimestampDurationTests {
    private let noon = Timestamp(milliseconds: 1_700_000_000_000)

    @Test func `a span moves a time by its whole milliseconds`() {
        #expect(noon + .seconds(2) == Timestamp(milliseconds: 1_700_000_002_000))
        #expect(noon - .microseconds(1_999) == Timestamp(milliseconds: 1_699_999_999_999))
    }

    @Test func `the difference of two times is a span, also backwards`() {
        #expect(noon + .seconds(2) - noon == .seconds(2))
        #expect(noon - (noon + .milliseconds(7)) == .milliseconds(-7))
        #expect(Timestamp.distantFuture - Timestamp(milliseconds: .min) > .seconds(1 << 53))
    }

    @Test func `no span leads beyond the last or the first time`() {
        #expect(Timestamp.distantFuture + .milliseconds(1) == .distantFuture)
        #expect(Timestamp(milliseconds: .min) - .milliseconds(1) == Timestamp(milliseconds: .min))
        #expect(noon + .seconds(Int64.max) == .distantFuture)
        #expect(Timestamp.epoch - .seconds(Int64.max) == Timestamp(milliseconds: .min))
    }
}
