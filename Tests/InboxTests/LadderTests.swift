import Inbox
import Testing

struct LadderTests {
    @Test func `It begins at the stream, without a reason`() {
        let ladder = Ladder()
        #expect(ladder.rung == .stream)
        #expect(ladder.reason == nil)
        #expect(ladder.nextClimb == nil)
    }

    @Test func `Each step down keeps its reason, and the last rung has none below`() {
        var ladder = Ladder()
        let answer1 = ladder.stepDown(because: "no stream", now: .zero)
        #expect(answer1)
        let answer2 = ladder.stepDown(because: "no long-poll", now: .zero)
        #expect(answer2)
        #expect(ladder.rung == .poll)
        #expect(ladder.reason == "no stream; no long-poll")
        let answer3 = ladder.stepDown(because: "no poll", now: .zero)
        #expect(!answer3)
    }

    @Test func `It climbs when it is time, and not before`() {
        var ladder = Ladder()
        _ = ladder.stepDown(because: "no stream", now: .seconds(10))
        let answer4 = ladder.climb(now: .seconds(309))
        #expect(!answer4)
        let answer5 = ladder.climb(now: .seconds(310))
        #expect(answer5)
        #expect(ladder.rung == .stream)
        #expect(ladder.reason == nil)
    }

    @Test func `Climbing in vain becomes rarer, until the best rung works`() {
        var ladder = Ladder()
        _ = ladder.stepDown(because: "no stream", now: .zero)
        _ = ladder.climb(now: .seconds(300))
        _ = ladder.stepDown(because: "no stream", now: .seconds(300))
        #expect(ladder.nextClimb == .seconds(900))
        _ = ladder.climb(now: .seconds(900))
        ladder.worked()
        _ = ladder.stepDown(because: "no stream", now: .seconds(1000))
        #expect(ladder.nextClimb == .seconds(1300))
    }

    @Test func `It does not climb before the server wants to be asked again`() {
        var ladder = Ladder()
        _ = ladder.stepDown(because: "no stream", now: .zero)
        _ = ladder.stepDown(because: "no long-poll", floor: .seconds(3600), now: .seconds(1))
        #expect(ladder.nextClimb == .seconds(3601))
        #expect(ladder.isLast)
    }

    @Test func `That the stream is held back is known until it is tried again`() {
        var ladder = Ladder()
        _ = ladder.stepDown(because: "no byte", isHeldBack: true, now: .zero)
        _ = ladder.stepDown(because: "no long-poll", now: .zero)
        #expect(ladder.isHeldBack)
        _ = ladder.climb(now: .zero, atOnce: true)
        #expect(!ladder.isHeldBack)
    }

    @Test func `Another network is a reason to climb at once`() {
        var ladder = Ladder()
        _ = ladder.stepDown(because: "no stream", now: .zero)
        let answer6 = ladder.climb(now: .zero, atOnce: true)
        #expect(answer6)
    }

    @Test(arguments: Rung.allCases) func `A configured transport is the only one`(_ rung: Rung) {
        var ladder = Ladder(only: rung)
        #expect(ladder.rung == rung)
        let answer7 = ladder.stepDown(because: "no", now: .zero)
        #expect(!answer7)
    }
}
