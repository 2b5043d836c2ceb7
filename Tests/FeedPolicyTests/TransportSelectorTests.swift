import Config
import FeedPolicy
import Reasons
import Testing

struct TransportSelectorTests {
    /// An input of the selector, with its time in seconds.
    enum TimedEvent {
        case begin(Int)
        case heard(TransportKind, after: Int)
        case failed(
            TransportKind, String = "it broke", isFinal: Bool = false, isBufferedByProxy: Bool = false,
            floor: Int? = nil,
            at: Int = 0)
        case lost(TransportKind, heardLastAfter: Int, isFinal: Bool = false, at: Int = 0)
        case climb
        case doubt
    }

    private func ladder(only: TransportKind? = nil, _ happenings: TimedEvent...) -> (
        ladder: TransportSelector, step: TransportSelector.Step?
    ) {
        var ladder = TransportSelector(only: only)
        var step: TransportSelector.Step?
        for happening in happenings {
            switch happening {
            case .begin(let now): step = ladder.startConnection(now: .seconds(now))
            case .heard(let transportKind, let age):
                _ = ladder.recordDataArrival(on: transportKind, connectionAge: .seconds(age))
            case .failed(let transportKind, let why, let isFinal, let isBufferedByProxy, let floor, let now):
                let fault = TransportSelector.Fault(
                    .text(why), isFinal: isFinal, isBufferedByProxy: isBufferedByProxy,
                    floor: floor.map { .seconds($0) })
                step = ladder.recordTrialFailure(of: transportKind, fault: fault, now: .seconds(now))
            case .lost(let transportKind, let age, let isFinal, let now):
                let fault = TransportSelector.Fault(.text("it broke"), isFinal: isFinal)
                ladder.recordConnectionLoss(
                    of: transportKind, lastDataAge: .seconds(age), fault: fault, now: .seconds(now))
            case .climb: step = ladder.startTrialOfBetterTransports()
            case .doubt: ladder.allowRetries()
            }
        }
        return (ladder, step)
    }

    @Test func `The feed polls while it is trying the stream`() {
        let (ladder, step) = ladder(.begin(0))
        #expect(step == .open(.stream))
        #expect(ladder.working == .poll && ladder.trial == .stream && ladder.acceptsFirstData)
        #expect(ladder.reason?.english == "the transport stream is still being tested")
    }

    @Test func `A stream that has not failed is used as soon as the first heartbeat arrives`() {
        let (ladder, _) = ladder(.begin(0), .heard(.stream, after: 0))
        #expect(ladder.working == .stream && ladder.trial == nil)
        #expect(ladder.reason == nil && ladder.nextTrialTime == nil)
    }

    @Test func `A stream that has failed is used again only after it has worked for five seconds`() {
        let (once, retry) = ladder(.begin(0), .failed(.stream), .heard(.stream, after: 4))
        #expect(retry == .retry(.stream))
        #expect(once.working == .poll && once.trial == .stream && !once.acceptsFirstData)
        let (then, _) = ladder(
            .begin(0), .failed(.stream), .heard(.stream, after: 4), .heard(.stream, after: 5))
        #expect(then.working == .stream && then.reason == nil)
    }

    @Test(
        arguments: [
            [.failed(.stream), .failed(.stream)], [.failed(.stream, isFinal: true)],
            [.failed(.stream, isBufferedByProxy: true)],
        ] as [[TimedEvent]])
    func `The next transport is tried after two failures, a permanent failure or a long silence`(
        _ failures: [TimedEvent]
    ) {
        var happenings = failures
        let last = happenings.removeLast()
        let (ladder, step) =
            happenings.first.map { self.ladder(.begin(0), $0, last) } ?? self.ladder(.begin(0), last)
        #expect(step == .open(.longPoll))
        #expect(ladder.working == .poll && ladder.trial == .longPoll)
        #expect(ladder.reason?.english == "the transport stream cannot be used (it broke)")
    }

    @Test func `After all transports have failed, polling is used until another transport is tried again`() {
        let (ladder, step) = ladder(
            .begin(0), .failed(.stream, "RST", isFinal: true, at: 1),
            .failed(.longPoll, "404", isFinal: true, at: 2))
        #expect(step == .wait)
        #expect(ladder.working == .poll && ladder.trial == nil && ladder.nextTrialTime == .seconds(301))
        #expect(ladder.reason?.english == "the transports stream (RST) and long-poll (404) cannot be used")
    }

    @Test func `A failure that both transports have in common is reported once`() {
        let (ladder, _) = ladder(
            .begin(0), .failed(.stream, "RST", isFinal: true), .failed(.longPoll, "RST", isFinal: true))
        #expect(ladder.reason?.english == "the transports stream and long-poll cannot be used (RST)")
    }

    @Test func `The reason for polling contains the last failure of each transport and is limited in length`()
    {
        var ladder = TransportSelector()
        let long = String(repeating: "word ", count: 1000)
        for number in 0..<50 {
            ladder.allowRetries()
            _ = ladder.startConnection(now: .zero)
            _ = ladder.recordTrialFailure(
                of: .stream, fault: .init(.text("\(number)"), isFinal: true), now: .zero)
            _ = ladder.recordTrialFailure(of: .longPoll, fault: .init(.text(long), isFinal: true), now: .zero)
        }
        #expect(ladder.reason?.english.hasPrefix("the transports stream (49) and long-poll (word") == true)
        #expect(ladder.reason?.english.count ?? 0 < 250)
    }

    @Test
    func
        `A better transport is tried alongside the current transport, which stays in use if the trial fails`()
    {
        let (before, _) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2))
        #expect(before.working == .longPoll && before.nextTrialTime == .seconds(300))
        let (during, open) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2), .climb)
        #expect(open == .open(.stream) && during.working == .longPoll && during.nextTrialTime == nil)
        let (after, wait) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2), .climb,
            .failed(.stream, at: 300))
        #expect(wait == .wait && after.working == .longPoll && after.nextTrialTime == .seconds(900))
        let (retry, first) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2), .climb,
            .failed(.stream, at: 300), .begin(400))
        #expect(first == .open(.longPoll) && retry.working == .poll)
    }

    @Test
    func `A reconnect uses the last working transport until a better transport is tried again`() {
        let failures: [TimedEvent] = [.failed(.stream, isFinal: true), .failed(.longPoll, isFinal: true)]
        #expect(ladder(.begin(0), failures[0], failures[1], .begin(299)).step == .wait)
        #expect(ladder(.begin(0), failures[0], failures[1], .begin(300)).step == .open(.stream))
        let (unverified, step) = ladder(.begin(0), failures[0], failures[1], .doubt, .begin(1))
        #expect(step == .open(.stream))
        #expect(
            !unverified.acceptsFirstData,
            "the failures are remembered, so the first data does not prove the stream")
    }

    @Test func `A transport that repeatedly ends soon after it started is no longer used`() {
        let (young, next) = ladder(
            .begin(0), .heard(.stream, after: 0), .lost(.stream, heardLastAfter: 1), .begin(1),
            .failed(.stream, at: 2))
        #expect(
            next == .open(.longPoll)
                && young.reason?.english == "the transport stream cannot be used (it broke)")
        let (lived, same) = ladder(
            .begin(0), .heard(.stream, after: 0), .heard(.stream, after: 30),
            .lost(.stream, heardLastAfter: 30), .begin(31), .heard(.stream, after: 0),
            .heard(.stream, after: 30), .lost(.stream, heardLastAfter: 30), .begin(62))
        #expect(same == .open(.stream) && lived.acceptsFirstData)
    }

    @Test func `The next connection does not begin with a transport that has failed permanently`() {
        let (_, step) = ladder(
            .begin(0), .failed(.stream, isFinal: true), .heard(.longPoll, after: 2),
            .lost(.longPoll, heardLastAfter: 60, isFinal: true), .begin(61))
        #expect(step == .wait)
    }

    @Test func `A better transport is not tried before Retry-After has passed`() {
        let (ladder, _) = ladder(
            .begin(0), .failed(.stream, isFinal: true, floor: 600), .failed(.longPoll, isFinal: true, at: 1))
        #expect(ladder.nextTrialTime == .seconds(600))
    }

    @Test
    func `The interval between attempts to use a better transport increases until the best transport works`()
    {
        var ladder = TransportSelector()
        _ = ladder.startConnection(now: .zero)
        var now = Duration.zero
        for wait in [300, 600, 1200, 2400] {
            _ = ladder.recordTrialFailure(of: .stream, fault: .init(.text("no"), isFinal: true), now: now)
            _ = ladder.recordTrialFailure(of: .longPoll, fault: .init(.text("no"), isFinal: true), now: now)
            #expect(ladder.nextTrialTime == now + .seconds(wait))
            now += .seconds(wait)
            _ = ladder.startTrialOfBetterTransports()
        }
        let isProved = ladder.recordDataArrival(on: .stream, connectionAge: .seconds(5))
        #expect(isProved)
        _ = ladder.startConnection(now: now)
        _ = ladder.recordTrialFailure(of: .stream, fault: .init(.text("no"), isFinal: true), now: now)
        _ = ladder.recordTrialFailure(of: .longPoll, fault: .init(.text("no"), isFinal: true), now: now)
        #expect(ladder.nextTrialTime == now + .seconds(300))
    }

    @Test
    func
        `A proxy is reported as buffering until the stream works or fails for a reason other than buffering`()
    {
        #expect(ladder(.begin(0), .failed(.stream, isBufferedByProxy: true)).ladder.isBufferedByProxy)
        #expect(
            ladder(.begin(0), .failed(.stream, isBufferedByProxy: true), .doubt, .begin(1)).ladder
                .isBufferedByProxy)
        let (works, _) = ladder(
            .begin(0), .failed(.stream, isBufferedByProxy: true), .doubt, .begin(1), .heard(.stream, after: 5)
        )
        #expect(!works.isBufferedByProxy)
        let (refused, _) = ladder(
            .begin(0), .failed(.stream, isBufferedByProxy: true), .doubt, .begin(1),
            .failed(.stream, isFinal: true))
        #expect(!refused.isBufferedByProxy)
    }

    @Test(arguments: TransportKind.allCases) func `Only the configured transport is tried alongside polling`(
        _ transportKind: TransportKind
    ) {
        let (begun, step) = ladder(only: transportKind, .begin(0))
        #expect(step == (transportKind == .poll ? .wait : .open(transportKind)) && begun.working == .poll)
        guard transportKind != .poll else {
            return #expect(begun.reason == nil && begun.nextTrialTime == nil)
        }
        let (failed, next) = ladder(only: transportKind, .begin(0), .failed(transportKind, isFinal: true))
        #expect(next == .wait && failed.nextTrialTime == .seconds(300))
    }
}
