import Inbox
import Testing

struct LadderTests {
    /// What happens to a ladder, at a second of its clock.
    enum Happening {
        case begin(Int)
        case heard(Rung, after: Int)
        case failed(
            Rung, String = "it broke", isFinal: Bool = false, isHeldBack: Bool = false, floor: Int? = nil,
            at: Int = 0)
        case lost(Rung, heardLastAfter: Int, isFinal: Bool = false, at: Int = 0)
        case climb
        case doubt
    }

    private func ladder(only: Rung? = nil, _ happenings: Happening...) -> (ladder: Ladder, step: Ladder.Step?)
    {
        var ladder = Ladder(only: only)
        var step: Ladder.Step?
        for happening in happenings {
            switch happening {
            case .begin(let now): step = ladder.begin(now: .seconds(now))
            case .heard(let rung, let age): _ = ladder.heard(on: rung, after: .seconds(age))
            case .failed(let rung, let why, let isFinal, let isHeldBack, let floor, let now):
                let fault = Ladder.Fault(
                    why, isFinal: isFinal, isHeldBack: isHeldBack, floor: floor.map { .seconds($0) })
                step = ladder.failed(rung, fault, now: .seconds(now))
            case .lost(let rung, let age, let isFinal, let now):
                let fault = Ladder.Fault("it broke", isFinal: isFinal)
                ladder.lost(rung, heardLastAfter: .seconds(age), fault, now: .seconds(now))
            case .climb: step = ladder.climb()
            case .doubt: ladder.doubt()
            }
        }
        return (ladder, step)
    }

    @Test func `Poll works from the first moment, and the stream is tried beside it`() {
        let (ladder, step) = ladder(.begin(0))
        #expect(step == .open(.stream))
        #expect(ladder.working == .poll && ladder.trial == .stream && ladder.isTrusting)
        #expect(ladder.reason == "the stream has not proved itself yet")
    }

    @Test func `A first sign is enough where nothing speaks against it`() {
        let (ladder, _) = ladder(.begin(0), .heard(.stream, after: 0))
        #expect(ladder.working == .stream && ladder.trial == nil)
        #expect(ladder.reason == nil && ladder.nextClimb == nil)
    }

    @Test func `One that failed once has to live`() {
        let (once, again) = ladder(.begin(0), .failed(.stream), .heard(.stream, after: 4))
        #expect(again == .again(.stream))
        #expect(once.working == .poll && once.trial == .stream && !once.isTrusting)
        let (then, _) = ladder(
            .begin(0), .failed(.stream), .heard(.stream, after: 4), .heard(.stream, after: 5))
        #expect(then.working == .stream && then.reason == nil)
    }

    @Test(
        arguments: [
            [.failed(.stream), .failed(.stream)], [.failed(.stream, isFinal: true)],
            [.failed(.stream, isHeldBack: true)],
        ] as [[Happening]])
    func `Two tries, one that says all, or silence for long, and the next one is tried`(
        _ failures: [Happening]
    ) {
        var happenings = failures
        let last = happenings.removeLast()
        let (ladder, step) =
            happenings.first.map { self.ladder(.begin(0), $0, last) } ?? self.ladder(.begin(0), last)
        #expect(step == .open(.longPoll))
        #expect(ladder.working == .poll && ladder.trial == .longPoll)
        #expect(ladder.reason == "no stream (it broke)")
    }

    @Test func `Where all were tried they rest for a while, and polls go on`() {
        let (ladder, step) = ladder(
            .begin(0), .failed(.stream, "RST", isFinal: true, at: 1),
            .failed(.longPoll, "404", isFinal: true, at: 2))
        #expect(step == .rest)
        #expect(ladder.working == .poll && ladder.trial == nil && ladder.nextClimb == .seconds(301))
        #expect(ladder.reason == "no stream (RST), no long-poll (404)")
    }

    @Test func `What is wrong with both is said once`() {
        let (ladder, _) = ladder(
            .begin(0), .failed(.stream, "RST", isFinal: true), .failed(.longPoll, "RST", isFinal: true))
        #expect(ladder.reason == "no stream and no long-poll (RST)")
    }

    @Test func `The reason tells the last fault of each, and grows no further`() {
        var ladder = Ladder()
        let long = String(repeating: "word ", count: 1000)
        for number in 0..<50 {
            ladder.doubt()
            _ = ladder.begin(now: .zero)
            _ = ladder.failed(.stream, .init("\(number)", isFinal: true), now: .zero)
            _ = ladder.failed(.longPoll, .init(long, isFinal: true), now: .zero)
        }
        #expect(ladder.reason?.hasPrefix("no stream (49), no long-poll (word") == true)
        #expect(ladder.reason?.count ?? 0 < 250)
    }

    @Test func `A better one is tried beside the working one, which stays where that fails`() {
        let (before, _) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2))
        #expect(before.working == .longPoll && before.nextClimb == .seconds(300))
        let (during, open) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2), .climb)
        #expect(open == .open(.stream) && during.working == .longPoll && during.nextClimb == nil)
        let (after, rest) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2), .climb,
            .failed(.stream, at: 300))
        #expect(rest == .rest && after.working == .longPoll && after.nextClimb == .seconds(900))
        let (again, first) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2), .climb,
            .failed(.stream, at: 300), .begin(400))
        #expect(first == .open(.longPoll) && again.working == .poll)
    }

    @Test func `A connection made anew begins with what is known to work, until it is time`() {
        let failures: [Happening] = [.failed(.stream, isFinal: true), .failed(.longPoll, isFinal: true)]
        #expect(ladder(.begin(0), failures[0], failures[1], .begin(299)).step == .rest)
        #expect(ladder(.begin(0), failures[0], failures[1], .begin(300)).step == .open(.stream))
        let (doubted, step) = ladder(.begin(0), failures[0], failures[1], .doubt, .begin(1))
        #expect(step == .open(.stream))
        #expect(!doubted.isTrusting, "what is known is not forgotten: polls do not wait for it")
    }

    @Test func `One that breaks at once each time is given up, and one that lived is not`() {
        let (young, next) = ladder(
            .begin(0), .heard(.stream, after: 0), .lost(.stream, heardLastAfter: 1), .begin(1),
            .failed(.stream, at: 2))
        #expect(next == .open(.longPoll) && young.reason == "no stream (it broke)")
        let (lived, same) = ladder(
            .begin(0), .heard(.stream, after: 0), .heard(.stream, after: 30),
            .lost(.stream, heardLastAfter: 30), .begin(31), .heard(.stream, after: 0),
            .heard(.stream, after: 30), .lost(.stream, heardLastAfter: 30), .begin(62))
        #expect(same == .open(.stream) && lived.isTrusting)
    }

    @Test func `One that worked and is known to be over is not begun with again`() {
        let (_, step) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2),
            .lost(.longPoll, heardLastAfter: 60, isFinal: true), .begin(61))
        #expect(step == .rest)
    }

    @Test func `It does not climb before the server wants to be asked again`() {
        let (ladder, _) = ladder(
            .begin(0), .failed(.stream, isFinal: true, floor: 600), .failed(.longPoll, isFinal: true, at: 1))
        #expect(ladder.nextClimb == .seconds(600))
    }

    @Test func `Trying in vain becomes rarer, until the best one works`() {
        var ladder = Ladder()
        _ = ladder.begin(now: .zero)
        var now = Duration.zero
        for wait in [300, 600, 1200, 2400] {
            _ = ladder.failed(.stream, .init("no", isFinal: true), now: now)
            _ = ladder.failed(.longPoll, .init("no", isFinal: true), now: now)
            #expect(ladder.nextClimb == now + .seconds(wait))
            now += .seconds(wait)
            _ = ladder.climb()
        }
        let isProved = ladder.heard(on: .stream, after: .seconds(5))
        #expect(isProved)
        _ = ladder.begin(now: now)
        _ = ladder.failed(.stream, .init("no", isFinal: true), now: now)
        _ = ladder.failed(.longPoll, .init("no", isFinal: true), now: now)
        #expect(ladder.nextClimb == now + .seconds(300))
    }

    @Test func `That the stream is held back is known until it works, or fails in another way`() {
        #expect(ladder(.begin(0), .failed(.stream, isHeldBack: true)).ladder.isHeldBack)
        #expect(ladder(.begin(0), .failed(.stream, isHeldBack: true), .doubt, .begin(1)).ladder.isHeldBack)
        let (works, _) = ladder(
            .begin(0), .failed(.stream, isHeldBack: true), .doubt, .begin(1), .heard(.stream, after: 5))
        #expect(!works.isHeldBack)
        let (refused, _) = ladder(
            .begin(0), .failed(.stream, isHeldBack: true), .doubt, .begin(1), .failed(.stream, isFinal: true))
        #expect(!refused.isHeldBack)
    }

    @Test(arguments: Rung.allCases) func `A configured transport is the only one that is tried beside polls`(
        _ rung: Rung
    ) {
        let (begun, step) = ladder(only: rung, .begin(0))
        #expect(step == (rung == .poll ? .rest : .open(rung)) && begun.working == .poll)
        guard rung != .poll else { return #expect(begun.reason == nil && begun.nextClimb == nil) }
        let (failed, next) = ladder(only: rung, .begin(0), .failed(rung, isFinal: true))
        #expect(next == .rest && failed.nextClimb == .seconds(300))
    }
}
