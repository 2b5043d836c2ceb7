import CutieAPI
import FeedPolicy
public import NotificationPolicy
import Testing

/// Tests of the notification state machine. Each row of a table contains an input and the expected actions.
struct NotificationStateTests {
    typealias State = NotificationState
    typealias Row = (input: State.Input, actions: [State.Action])

    static let (a, b, c) = (owner("a"), owner("b"), owner("c"))

    static func owner(_ conversation: Conversation.ID) -> NotificationOwner {
        .reply(AccountID(rawValue: 1), conversation)
    }

    static func item(_ owner: NotificationOwner, _ messages: Message.ID...) -> ReplyBatch.Item {
        ReplyBatch.Item(owner: owner, messages: messages.map { MessageKey($0, of: AccountID(rawValue: 1)) })
    }

    private static func batch(
        _ news: NotificationOwner..., released: [NotificationOwner] = [], most: Int = 3,
        isPartial: Bool = false
    ) -> ReplyBatch {
        ReplyBatch(
            news: news.map { item($0, "m") }, released: released.map { item($0, "m") }, maxPopups: most,
            isPartial: isPartial)
    }

    private func state(_ setup: State.Input...) -> State {
        var state = State(
            pacing: NotificationPacing(retry: Backoff(base: .seconds(1), cap: .seconds(30)), now: .zero))
        for input in setup { _ = state.handle(input, now: .seconds(100)) }
        return state
    }

    /// Returns a state that has adopted a server and then received the inputs `setup`.
    private func met(_ setup: State.Input...) -> State {
        var state = state(.server("s"), .adopted("s", [:]))
        for input in setup { _ = state.handle(input, now: .seconds(100)) }
        return state
    }

    private func expect(
        _ state: State, at now: Duration = .seconds(100), _ rows: [Row],
        _ location: SourceLocation = #_sourceLocation
    ) {
        var state = state
        for (number, row) in rows.enumerated() {
            let actions = state.handle(row.input, now: now)
            #expect(actions == row.actions, "row \(number)", sourceLocation: location)
        }
    }

    // MARK: - Servers

    @Test func `The first server that responds is used, and then held replies are released`() {
        expect(
            state(),
            [
                (.server(nil), []),
                (.server("s"), [.adopt("s")]),
                (.adopted("s", [:]), [.checkHeldMessages]),
                // Adopting the same server again must have no effect.
                (.adopted("s", [:]), []),
                (.server("s"), []),
                (.server(nil), []),
            ])
        #expect(state(.server(nil)).phase == .absent(since: .seconds(100)))
    }

    @Test func `Any call to the notification server detects that the server was replaced`() {
        expect(
            met(.shown(Self.a, .init(id: 1))),
            [
                (.server("other"), [.wake(at: .seconds(100)), .holdAllReplies]),
                // The replies on the previous server must be held before the new server is adopted.
                (.adopted("other", [:]), []),
                (.repliesHeld, [.notifyClients]),
                (.server("other"), [.adopt("other")]),
            ])
    }

    @Test
    func `After the server exits, replies are held once, and the delays between queries increase`() {
        expect(
            met(),
            [
                (.failed(.unavailable), [.wake(at: .seconds(101)), .holdAllReplies]),
                (.failed(.unavailable), []),
                (.repliesHeld, [.notifyClients]),
                (.repliesHeld, []),
                (.waiting, [.wake(at: .seconds(102))]),
                (.waiting, [.wake(at: .seconds(104))]),
                (.server("s"), [.adopt("s")]),
                (.adopted("s", [:]), [.checkHeldMessages]),
                (.waiting, []),
            ])
    }

    @Test
    func `After a server is lost, the replies that it showed are held before the next server is used`() {
        expect(
            met(.failed(.unavailable)),
            [(.server(nil), []), (.server("s"), [.holdAllReplies, .adopt("s")])])
        expect(
            met(.failed(.unavailable)),
            [(.stepStarted, [.holdAllReplies]), (.repliesHeld, [.notifyClients]), (.stepStarted, [])])
        expect(met(), [(.stepStarted, [])])
    }

    @Test func `The notifications of a lost server are forgotten, and late clicks on them have no effect`() {
        let lost = met(
            .shown(Self.a, .init(id: 1)), .shown(Self.b, .init(id: 2)), .ended(2, hasExpired: true),
            .failed(.unavailable), .repliesHeld)
        #expect(lost.notifications.isEmpty && lost.expiredOwners.isEmpty)
        #expect(lost.notification(withID: 1) == nil && lost.notification(withID: 2) == nil)
    }

    // MARK: - Notifications

    @Test func `A notification ID refers only to the new notification after the server has reused the ID`() {
        var state = met(.shown(Self.a, .init(id: 1)))
        #expect(state.handle(.shown(.question(7), .init(id: 1)), now: .zero) == [.erase(Self.a)])
        #expect(state[Self.a] == nil && state.notification(withID: 1)?.owner == .question(7))
        #expect(state.handle(.shown(.question(7), .init(id: 2)), now: .zero).isEmpty)
        #expect(state.notification(withID: 1) == nil)
    }

    @Test func `A late click is assigned to the closed notification until the notification's ID is reused`() {
        var state = met(.shown(Self.a, .init(id: 1)))
        #expect(state.handle(.ended(1, hasExpired: false), now: .zero) == [.erase(Self.a)])
        #expect(state.notification(withID: 1)?.owner == Self.a)
        #expect(state.notification(withID: 9) == nil)
        #expect(state.handle(.ended(1, hasExpired: false), now: .zero).isEmpty)
        _ = state.handle(.shown(.outage, .init(id: 1)), now: .zero)
        #expect(state.notification(withID: 1)?.owner == .outage)
    }

    @Test
    func `After a restart, a late click is assigned to the earlier notification until the ID is reused`() {
        let ended = [1, 2, 3].map {
            EndedNotification(owner: Self.a, notification: .init(id: $0, isFromThisRun: false))
        }
        var state = state(
            .server("s"), .adopted("s", [Self.b: .init(id: 2, isFromThisRun: false)], ended: ended))
        #expect((1...4).map { state.notification(withID: $0)?.owner } == [Self.a, Self.b, Self.a, nil])
        #expect(!state.announcesReplies && state[Self.a] == nil)
        _ = state.handle(.shown(Self.c, .init(id: 3)), now: .zero)
        #expect(state.notification(withID: 3)?.owner == Self.c)
        #expect(
            state.endedNotification(withID: 3) == nil && state.endedNotification(withID: 1)?.owner == Self.a)
    }

    @Test func `The number of closed notifications that are remembered is limited`() {
        var state = met()
        for id in 1...300 as ClosedRange<UInt32> {
            _ = state.handle(.shown(Self.a, .init(id: id)), now: .zero)
            _ = state.handle(.ended(id, hasExpired: true), now: .zero)
        }
        #expect(state.notification(withID: 44) == nil && state.notification(withID: 45) != nil)
        #expect(state.expiredOwners.map(\.id) == Array(45...300))
    }

    @Test
    func `Reading a reply closes its notification, or removes an expired one from the server's history`() {
        var state = met(.shown(Self.a, .init(id: 1)), .ended(1, hasExpired: true))
        let actions = state.handle(.read([Self.b], expired: [1], reads: 4), now: .zero)
        #expect(actions == [.close(Self.b, .read), .closeExpired(1), .completed(.closing(reads: 4))])
        #expect(state.closedReads == nil)
        state.record(.unlisted(1))
        state.record(.completed(.closing(reads: 4)))
        #expect(state.closedReads == 4 && state.expiredOwners.isEmpty)
    }

    @Test func `Reading replies does not remove expired questions and notices from the server's history`() {
        let state = met(.shown(.outage, .init(id: 1)), .ended(1, hasExpired: true))
        #expect(state.expiredOwners.isEmpty)
    }

    @Test
    func `A private pause hides the text of open notifications once, and again only after a failure`() {
        var state = met(
            .shown(Self.a, .init(id: 1)), .shown(.failure(["x"]), .init(id: 2)),
            .shown(.summary, .init(id: 3)), .shown(.outage, .init(id: 4)),
            .shown(Self.b, .init(id: 5, isFromThisRun: false)))
        let hiding: [State.Action] = [
            .hideText(Self.a), .close(.failure(["x"]), .privacy), .hideText(.summary),
            // The user may already have closed this notification of an earlier run. An update would show the
            // notification again, so it is closed instead of updated.
            .close(Self.b, .privacy), .completed(.hiding),
        ]
        // The store fails, so the first attempt is not confirmed and the second one repeats all actions.
        expect(state, [(.privacy(false), []), (.privacy(true), hiding), (.privacy(true), hiding)])
        state.record(.completed(.hiding))
        expect(state, [(.privacy(true), []), (.privacy(false), []), (.privacy(true), hiding)])
        expect(self.state(), [(.privacy(true), [.completed(.hiding)])])
    }

    // MARK: - Questions

    @Test func `A question from the daemon is closed before a reply is shown`() {
        expect(
            met(
                .shown(.question(1), .init(id: 1, yieldsToReplies: true)),
                .shown(.question(2), .init(id: 2, yieldsToReplies: false))),
            [(.replies(Self.batch(Self.a)), [.close(.question(1), .roomNeeded), .show(Self.a)])])
    }

    @Test func `A task that waits until all replies are closed resumes after the last reply is closed`() {
        var state = met(.shown(Self.a, .init(id: 1)), .shown(.summary, .init(id: 2)))
        state.record(.notifyAtEnd)
        expect(
            state,
            [
                (.stepFinished, []), (.ended(1, hasExpired: false), [.erase(Self.a)]),
                (.removed(.summary), [.notifyClients]), (.stepFinished, []),
            ])
    }

    @Test func `A reply that is being shown counts as an open reply`() {
        var state = met(.replies(Self.batch(Self.a)))
        state.record(.notifyAtEnd)
        #expect(state.announcesReplies)
        #expect(state.handle(.stepFinished, now: .zero) == [.notifyClients])
        #expect(!state.announcesReplies)
    }

    // MARK: - Replies

    @Test func `Replies are shown one after the other`() {
        expect(
            met(),
            [
                (.replies(Self.batch(Self.a, Self.b)), [.show(Self.a)]), (.outcome(.shown), [.show(Self.b)]),
                (.outcome(.finished), []),
            ])
    }

    @Test func `Replies beyond the limit share one summary with the released replies`() {
        expect(
            met(.shown(Self.a, .init(id: 1))),
            [
                (
                    .replies(Self.batch(Self.b, Self.a, released: [Self.c], most: 1)),
                    [.postpone([Self.b], .tooMany(1)), .show(Self.a)]
                ),
                (.outcome(.shown), [.summarize([Self.c, Self.b])]), (.outcome(.shown), []),
            ])
    }

    @Test func `Notifications from an earlier run do not count toward the maximum number of notifications`() {
        expect(
            met(.shown(Self.a, .init(id: 1, isFromThisRun: false))),
            [(.replies(Self.batch(Self.b, most: 1)), [.show(Self.b)])])
    }

    @Test func `The summary is updated at most once a second, with all replies since the last update`() {
        var state = met(.shown(.summary, .init(id: 1)), .replies(Self.batch(released: [Self.a, Self.b])))
        _ = state.handle(.outcome(.shown), now: .seconds(100))
        let piece = ReplyBatch(
            news: [], released: [Self.item(Self.c, "n"), Self.item(Self.a, "n")], maxPopups: 3,
            isPartial: true
        )
        expect(
            state, at: .milliseconds(100_500),
            [(.replies(piece), [.wake(at: .seconds(101)), .wake(at: .milliseconds(101_500))])])
        expect(
            state, at: .seconds(101),
            [
                (.replies(piece), [.summarize([Self.c, Self.a])]),
                (.outcome(.shown), [.wake(at: .seconds(102))]),
            ])
    }

    @Test func `After the rate limit is reached, the remaining notifications are shown later`() {
        var state = met()
        for _ in 0..<50 { _ = state.handle(.notice(.outage), now: .seconds(100)) }
        expect(
            state,
            [
                (.replies(Self.batch(Self.a)), [.wake(at: .milliseconds(100_050))]),
                (.notice(.failure(["x"])), [.wake(at: .milliseconds(100_050))]),
            ])
    }

    @Test func `If the server refuses one reply, the other pending replies are postponed`() {
        expect(
            met(),
            [
                (.replies(Self.batch(Self.a, Self.b, Self.c)), [.show(Self.a)]),
                (
                    .outcome(.refused),
                    [
                        .retry(except: []), .postpone([Self.b, Self.c], .serverRefuses),
                        .wake(at: .seconds(101)),
                    ]
                ),
            ])
    }

    @Test func `The remaining replies are held if the server exits`() {
        expect(
            met(),
            [
                (.replies(Self.batch(Self.a, Self.b)), [.show(Self.a)]),
                (.failed(.changed), [.wake(at: .seconds(100)), .holdAllReplies]),
                (.repliesHeld, [.notifyClients]),
                (.outcome(.failed), [.postpone([Self.b], .noServer)]),
            ])
    }

    @Test func `A reply that is refused ten times is not retried again`() {
        var (state, now) = (met(), Duration.seconds(100))
        func refuse() -> [State.Action] {
            _ = state.handle(.replies(Self.batch(Self.a)), now: now)
            return state.handle(.outcome(.refused), now: now)
        }
        for _ in 1...9 {
            #expect(refuse().first == .retry(except: []))
            // A refusal before the retry is due must not be counted.
            #expect(refuse().first == .retry(except: []))
            now += .seconds(30)
        }
        #expect(refuse().first == .retry(except: [MessageKey("m", of: AccountID(rawValue: 1))]))
    }

    @Test func `A released reply is added to the open notification of its conversation`() {
        let state = met(.shown(Self.a, .init(id: 1)))
        let batch = state.groupedForDisplay(Self.batch(Self.b, released: [Self.a, Self.c, Self.owner("d")]))
        #expect(batch.news.map(\.owner) == [Self.b, Self.a])
        #expect(batch.digest.map(\.owner) == [Self.c, Self.owner("d")])
    }

    @Test
    func `Released replies of one conversation are shown in its notification, unless a summary is open`() {
        #expect(met().groupedForDisplay(Self.batch(released: [Self.a])).news.map(\.owner) == [Self.a])
        let full = met(.shown(.summary, .init(id: 1))).groupedForDisplay(Self.batch(released: [Self.a]))
        #expect(full.digest.map(\.owner) == [Self.a])
        #expect(
            met().groupedForDisplay(Self.batch(released: [Self.a], most: 0)).digest.map(\.owner) == [Self.a])
    }

    @Test func `A reply with refused text or a pending avatar is shown after the other replies`() {
        var batch = ReplyBatch(news: [Self.item(Self.a, "m"), Self.item(Self.b, "n")], maxPopups: 3)
        var state = met(.replies(batch))
        _ = state.handle(.outcome(.refused), now: .seconds(100))
        #expect(state.groupedForDisplay(batch).news.map(\.owner) == [Self.b, Self.a])
        batch.markAwaitingPicture([Self.a])
        #expect(batch.news.map(\.owner) == [Self.b, Self.a])
    }

    @Test func `Computing the next actions on a copy does not change the original state`() {
        let state = met()
        var trial = state
        #expect(trial.handle(.replies(Self.batch(Self.a)), now: .zero) == [.show(Self.a)])
        #expect(!state.announcesReplies)
    }
}

extension NotificationServer: ExpressibleByStringLiteral {
    public init(stringLiteral name: String) {
        self.init(name: name, vendor: "", version: "", specVersion: "", capabilities: [])
    }
}
