import ControlAPI
import CutieAPI
import Desktop
import Inbox
import Store
import TestSupport
import Testing

@testable import Daemon

@MainActor
struct DisconnectionTests {
    private let desk: Desk
    private let server = FakePopupServer()
    private let policy = Shared(Policy())
    private let outages = Shared<[Outage]>([])
    private let attempts = Shared(0)
    private let looks = Shared(0)
    /// How often it was asked whether what is overdue may be told.
    private let verdicts = Shared(0)

    init() throws { desk = try Desk() }

    private func outage(_ number: Int64, _ name: String = "default") -> Outage {
        Outage(account: AccountID(rawValue: number), name: name, reason: "no route to host")
    }

    private func notice(patience: Duration = .milliseconds(20)) -> DisconnectionNotice {
        DisconnectionNotice(
            store: desk.store, notifier: server,
            outages: { [outages, looks] in
                looks.value += 1
                return outages.value
            },
            reconnect: { [attempts] in attempts.value += 1 },
            policy: { [policy, verdicts] in
                verdicts.value += 1
                return policy.value
            },
            session: { $0.name }, patience: patience, surroundings: .still, logger: .silent)
    }

    private func change(_ notice: DisconnectionNotice, _ outages: Outage...) {
        self.outages.value = outages
        notice.changes.advance()
    }

    @Test func `An outage that lasts is told once and quietly, and withdrawn on return`() async throws {
        let notice = notice()
        try await running(notice.run) {
            change(notice, outage(1), outage(2, "work"))
            try await eventually("told") { server.shown.count == 1 }
            let popup = server.shown[0].popup
            #expect(popup.urgency == .low && popup.sound == .silent)
            #expect(popup.body.contains("work: no route to host"))
            for _ in 0..<5 { change(notice, outage(1), outage(2, "work")) }
            change(notice)
            try await eventually("withdrawn") { server.closed == [server.shown[0].id] }
            #expect(server.shown.count == 1)
        }
    }

    @Test func `An account that stopped is not said to go on trying, also where it stops later`() async throws
    {
        let notice = notice()
        var stopped = outage(2, "work")
        (stopped.state, stopped.reason) = (.stopped, "the API refuses App ID app_1")
        try await running(notice.run) {
            change(notice, outage(2, "work"))
            try await eventually("told") { server.shown.count == 1 }
            #expect(server.shown[0].popup.body.contains("It goes on trying."))
            change(notice, stopped)
            try await eventually("told anew") { server.shown.count == 2 }
            let body = server.shown[1].popup.body
            #expect(body.hasPrefix("work: stopped: the API refuses App ID app_1\n"))
            #expect(body.contains("then cutied ctl reconnect.") && !body.contains("`"))
            #expect(!body.contains("goes on"))
        }
    }

    @Test func `Who closes it is not told again before the next outage`() async throws {
        let notice = notice()
        try await running(notice.run) {
            change(notice, outage(1))
            try await eventually("told") { server.shown.count == 1 }
            try await eventually("known") { notice.shown == 1 }
            try notice.closed(1, because: .dismissed)
            change(notice, outage(1))
            change(notice)
            let seen = looks.value
            try await eventually("the return was seen") { looks.value > seen }
            change(notice, outage(1))
            try await eventually("told anew") { server.shown.count == 2 }
            #expect(server.closed.isEmpty)
        }
    }

    @Test func `While paused or off nothing is told, afterwards it is`() async throws {
        policy.value.enabled = false
        let notice = notice()
        try await running(notice.run) {
            change(notice, outage(1))
            try await eventually("it is overdue") { verdicts.value > 0 }
            let seen = looks.value
            notice.changes.advance()
            try await eventually("that turn has ended") { looks.value > seen }
            #expect(server.shown.isEmpty)
            policy.value.enabled = true
            notice.changes.advance()
            try await eventually("told") { server.shown.count == 1 }
        }
    }

    @Test func `The next run withdraws what an earlier one told`() async throws {
        let first = notice()
        try await running(first.run) {
            change(first, outage(1))
            try await eventually("told") {
                try desk.store.read { try $0.setting("disconnection-notice") } != nil
            }
        }
        outages.value = []
        let second = notice()
        try await running(second.run) { try await eventually("withdrawn") { server.closed == [1] } }
    }

    @Test func `Try now reconnects, and clicks on other pop-ups do not`() async throws {
        let notice = notice()
        try await running(notice.run) {
            change(notice, outage(1))
            try await eventually("known") { notice.shown == 1 }
            #expect(notice.act("reconnect", on: 7) == nil)
            #expect(notice.act("reconnect", on: 1) != nil)
            #expect(attempts.value == 1)
        }
    }

    @Test func `The clock counts each account for itself, and begins again after a resume`() {
        var clock = OutageClock(patience: .seconds(300))
        func note(_ outages: Outage..., at seconds: Int) -> (overdue: [Int64], next: Duration?) {
            let (overdue, next) = clock.note(outages, at: .seconds(seconds))
            return (overdue.map(\.account.rawValue), next)
        }
        #expect(note(outage(1), at: 0) == ([], .seconds(300)))
        #expect(note(outage(1), outage(2), at: 290) == ([], .seconds(300)))
        #expect(note(outage(2), at: 301) == ([], .seconds(590)))
        #expect(note(outage(1), outage(2), at: 600) == ([2], .seconds(900)))
        clock.restart(at: .seconds(601))
        #expect(note(outage(1), outage(2), at: 602) == ([], .seconds(901)))
        #expect(note(at: 603) == ([], nil))
    }
}
