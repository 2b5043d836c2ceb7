import Inbox
import Testing

struct LadderTests {
    /// An event at a given second of the ladder's clock.
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

    @Test func `Polling works at once while the stream is tried`() {
        let (ladder, step) = ladder(.begin(0))
        #expect(step == .open(.stream))
        #expect(ladder.working == .poll && ladder.trial == .stream && ladder.isTrusting)
        #expect(ladder.reason == "the stream is still being tested")
    }

    @Test func `The first heartbeat is enough if the stream never failed`() {
        let (ladder, _) = ladder(.begin(0), .heard(.stream, after: 0))
        #expect(ladder.working == .stream && ladder.trial == nil)
        #expect(ladder.reason == nil && ladder.nextClimb == nil)
    }

    @Test func `A stream that failed once must last before it is trusted`() {
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
    func `Two failures, a final one or long silence start the next transport`(
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

    @Test func `After all transports failed there is a break, and polling continues`() {
        let (ladder, step) = ladder(
            .begin(0), .failed(.stream, "RST", isFinal: true, at: 1),
            .failed(.longPoll, "404", isFinal: true, at: 2))
        #expect(step == .rest)
        #expect(ladder.working == .poll && ladder.trial == nil && ladder.nextClimb == .seconds(301))
        #expect(ladder.reason == "no stream (RST), no long-poll (404)")
    }

    @Test func `The same fault of both transports is reported once`() {
        let (ladder, _) = ladder(
            .begin(0), .failed(.stream, "RST", isFinal: true), .failed(.longPoll, "RST", isFinal: true))
        #expect(ladder.reason == "no stream and no long-poll (RST)")
    }

    @Test func `The reason has the last fault of each transport, limited in length`() {
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

    @Test func `A better transport is tried beside the current one, which stays if that fails`() {
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

    @Test func `A reconnect starts with the transport known to work, until the next attempt is due`() {
        let failures: [Happening] = [.failed(.stream, isFinal: true), .failed(.longPoll, isFinal: true)]
        #expect(ladder(.begin(0), failures[0], failures[1], .begin(299)).step == .rest)
        #expect(ladder(.begin(0), failures[0], failures[1], .begin(300)).step == .open(.stream))
        let (doubted, step) = ladder(.begin(0), failures[0], failures[1], .doubt, .begin(1))
        #expect(step == .open(.stream))
        #expect(!doubted.isTrusting, "what is known is not forgotten: polls do not wait for it")
    }

    @Test func `A transport that always breaks at once is given up, and one that lasted is not`() {
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

    @Test func `A transport that has ended for good is not tried first again`() {
        let (_, step) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2),
            .lost(.longPoll, heardLastAfter: 60, isFinal: true), .begin(61))
        #expect(step == .rest)
    }

    @Test func `No upgrade is tried before the server's Retry-After`() {
        let (ladder, _) = ladder(
            .begin(0), .failed(.stream, isFinal: true, floor: 600), .failed(.longPoll, isFinal: true, at: 1))
        #expect(ladder.nextClimb == .seconds(600))
    }

    @Test func `Failed upgrades become rarer until the best transport works`() {
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

    @Test func `A blocked stream is remembered until it works or fails differently`() {
        #expect(ladder(.begin(0), .failed(.stream, isHeldBack: true)).ladder.isHeldBack)
        #expect(ladder(.begin(0), .failed(.stream, isHeldBack: true), .doubt, .begin(1)).ladder.isHeldBack)
        let (works, _) = ladder(
            .begin(0), .failed(.stream, isHeldBack: true), .doubt, .begin(1), .heard(.stream, after: 5))
        #expect(!works.isHeldBack)
        let (refused, _) = ladder(
            .begin(0), .failed(.stream, isHeldBack: true), .doubt, .begin(1), .failed(.stream, isFinal: true))
        #expect(!refused.isHeldBack)
    }

    @Test(arguments: Rung.allCases) func `Only the configured transport is tried beside polling`(
        _ rung: Rung
    ) {
        let (begun, step) = ladder(only: rung, .begin(0))
        #expect(step == (rung == .poll ? .rest : .open(rung)) && begun.working == .poll)
        guard rung != .poll else { return #expect(begun.reason == nil && begun.nextClimb == nil) }
        let (failed, next) = ladder(only: rung, .begin(0), .failed(rung, isFinal: true))
        #expect(next == .rest && failed.nextClimb == .seconds(300))
    }
}
