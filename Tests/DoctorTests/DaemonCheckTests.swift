import ControlAPI
import NotificationPolicy
import Platform
import Testing

@testable import Doctor

struct DaemonCheckTests {
    private static let desktop = SessionFacts(
        bus: .answers(address: "unix:path=/x"), server: .answers(.sample(["actions", "body"])))

    @Test(arguments: [
        (DaemonFacts.answers(.sample()), Check.Verdict.ok, "running, version "),
        (.answers(.sample(version: "0.0.1")), .warning, "version 0.0.1 is running"),
        (.absent(path: "/s"), .failure, "no process listens at /s"),
        (.silent(path: "/s", reason: "slow"), .failure, "does not respond at /s (slow)"),
        (.noSocketPath(Paths.NoRuntimeDirectory()), .failure, "XDG_RUNTIME_DIR is not set"),
    ])
    func `The result of the daemon check depends on the state of the daemon`(
        facts: DaemonFacts, verdict: Check.Verdict, finding: String
    ) {
        let check = facts.makeCheck(isAccountConfigured: true)
        #expect(check.verdict == verdict)
        #expect(check.finding.contains(finding))
        #expect((check.advice == nil) == (verdict == .ok))
    }

    @Test func `The daemon check advises correcting the configuration first if the configuration is invalid`()
    {
        let advice = DaemonFacts.absent(path: "/s").makeCheck(isAccountConfigured: false).advice
        #expect(advice?.hasPrefix("correct the config first") == true)
    }

    @Test(arguments: [
        (GetStatus.Reply.sample(), Check.Verdict.ok, "empty"),
        (.sample(outbox: 2), .ok, "2 to send"),
        (.sample(outbox: 2, outboxFailed: 1), .warning, "1 could not be sent"),
    ])
    func `Failed messages cause a warning, but pending messages do not`(
        status: GetStatus.Reply, verdict: Check.Verdict, finding: String
    ) {
        let check = DaemonFacts.answers(status).outbox
        #expect(check.verdict == verdict && check.finding == finding)
        #expect((check.advice == nil) == (verdict == .ok))
    }

    @Test(arguments: [
        (GetStatus.Reply.sample(), Check.Verdict.ok, "on, shown by dunst 1.9"),
        (.sample(notifications: false), .warning, "off"),
        (.sample(paused: true), .warning, "paused"),
        (.sample(notifier: NotifierView(available: false)), .failure, "finds no notification server"),
    ])
    func `The result of the notifications check depends on the status that the daemon reports`(
        status: GetStatus.Reply, verdict: Check.Verdict, finding: String
    ) {
        let check = DaemonFacts.answers(status).makeNotificationChecks(in: Self.desktop)["notifications"]
        #expect(check?.verdict == verdict)
        #expect(check?.finding.contains(finding) == true)
    }

    @Test(arguments: [
        (HoldView.Reason.off, Check.Verdict.warning, "off"), (.paused, .warning, "paused until"),
        (.quietHours, .warning, "held during quiet hours until"),
        (.privatePause, .warning, "shown without text until"),
        (.presence, .ok, "on, without text"),
    ])
    func `The result of the notifications check depends on why notifications are held`(
        reason: HoldView.Reason, verdict: Check.Verdict, finding: String
    ) {
        var status = GetStatus.Reply.sample()
        let until = reason == .off || reason == .presence ? nil : Int64(1_780_000_000_000)
        status.holds = [HoldView(reason: reason, until: until)]
        let check = DaemonFacts.answers(status).makeNotificationChecks(in: Self.desktop)["notifications"]
        #expect(check?.verdict == verdict)
        #expect(check?.finding.contains(finding) == true, "\(check?.finding ?? "")")
    }

    @Test func `The number of inotify instances is reported, and reaching the limit causes a warning`() {
        let left = WatchFacts(usedCount: 12, limit: 128, failure: nil).check
        #expect(left.verdict == .ok && left.finding == "12 of 128 inotify instances are in use")
        let none = WatchFacts(usedCount: 128, limit: 128, failure: "inotify_init1: Too many open files").check
        #expect(none.verdict == .warning && none.finding.contains("Too many open files"))
        #expect(none.finding.contains("128 of 128") && none.advice?.contains("max_user_instances") == true)
    }

    @Test func `A missing notification server is reported by only one check`() {
        let status = GetStatus.Reply.sample(notifier: NotifierView(available: false))
        let session = SessionFacts(bus: .answers(address: "unix:path=/x"), server: .missing)
        #expect(DaemonFacts.answers(status).makeNotificationChecks(in: session).map(\.verdict) == [.skipped])
        // The daemon does not use this notification server. The separate check of the server states the
        // reason.
        let unusable = NotificationServer(
            name: "rec", vendor: "", version: "1", specVersion: "1.2", capabilities: [],
            problem: "GetServerInformation failed", isUsable: false)
        let same = SessionFacts(bus: .answers(address: "unix:path=/x"), server: .answers(unusable))
        #expect(DaemonFacts.answers(status).makeNotificationChecks(in: same).map(\.verdict) == [.skipped])
    }

    @Test(arguments: [
        (AccountView.sample(.connected, by: "stream"), Check.Verdict.ok, "connected by stream"),
        (.sample(.connecting), .ok, "connecting"),
        (.sample(.starting), .ok, "starting"),
        (.sample(.starting, because: "waiting for it"), .warning, "starting: waiting for it"),
        (.sample(.unregistered, because: "no answer"), .warning, "has no device token yet: no answer"),
        (.sample(.offline, because: "no route"), .failure, "offline: no route"),
        (.sample(.stopped, because: "the token was revoked"), .failure, "stopped: the token was revoked"),
        (.sample(.connected, by: "poll", because: "no stream"), .ok, "connected by poll: no stream"),
    ])
    func `The result of an account check depends on the state of the account`(
        account: AccountView, verdict: Check.Verdict, finding: String
    ) {
        let check = DaemonFacts.answers(.sample(account)).makeAccountChecks(apis: [])["account default"]
        #expect(check?.verdict == verdict)
        #expect(check?.finding == finding)
    }

    @Test func `A buffering proxy is reported only if the API offers the transport that the proxy blocks`()
        throws
    {
        let reason = "no byte came on the stream: something on the way holds it back"
        var account = AccountView.sample(.connected, by: "long-poll", because: reason)
        #expect(DaemonFacts.answers(.sample(account)).makeAccountChecks(apis: []).map(\.verdict) == [.ok])
        account.heldBack = true
        let daemon = DaemonFacts.answers(.sample(account))
        let offered = daemon.makeAccountChecks(apis: [try .sample()])["account default"]
        #expect(offered?.verdict == .warning)
        #expect(offered?.advice?.contains("proxy_buffering off") == true)
        let absent = daemon.makeAccountChecks(apis: [try .sample(stream: .absent)])["account default"]
        #expect(absent?.verdict == .ok)
    }

    @Test func `Accounts are not checked if the daemon is not running`() {
        #expect(DaemonFacts.absent(path: "/s").makeAccountChecks(apis: []).isEmpty)
    }
}
