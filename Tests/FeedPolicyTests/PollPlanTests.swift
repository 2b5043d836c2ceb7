import CutieAPI
import Testing

@testable import FeedPolicy

struct PollPlanTests {
    private func conversation(_ id: String, at time: Int64?) -> Conversation {
        var conversation = Conversation(id: .init(id))
        conversation.updatedAt = time.map { Timestamp(milliseconds: $0) }
        return conversation
    }

    @Test func `The poll ends after the first page if all conversations on the page are unchanged`() {
        var plan = PollPlan(fetchesAll: false)
        let page = [conversation("a", at: 2), conversation("b", at: 1)]
        let more = plan.addPage(page, pageSize: 2, isUnchanged: { _ in true })
        #expect(!more)
        #expect(plan.changed.isEmpty)
    }

    @Test func `The poll requests pages until all conversations on a page are unchanged`() {
        var plan = PollPlan(fetchesAll: false)
        let first = [conversation("a", at: 4), conversation("b", at: 3)]
        let second = [conversation("c", at: 2), conversation("d", at: 1)]
        let more8 = plan.addPage(first, pageSize: 2, isUnchanged: { $0.id != "b" })
        #expect(more8)
        let more = plan.addPage(second, pageSize: 2, isUnchanged: { _ in true })
        #expect(!more)
        #expect(plan.changed.map(\.id) == ["b"])
    }

    @Test func `A poll finds changed conversations even if earlier conversations have dates in the future`() {
        var plan = PollPlan(fetchesAll: false, now: Timestamp(milliseconds: 1_000_000))
        let ahead = [conversation("a", at: 9_000_001), conversation("b", at: 9_000_000)]
        let more = plan.addPage(ahead, pageSize: 2, isUnchanged: { _ in true })
        #expect(more)
        let evenMore = plan.addPage(
            [conversation("c", at: 999_999)], pageSize: 2, isUnchanged: { _ in false })
        #expect(!evenMore)
        #expect(plan.changed.map(\.id) == ["c"])
    }

    @Test
    func `The oldest change is fetched first, so that an aborted poll can continue with the newer changes`() {
        var plan = PollPlan(fetchesAll: false)
        let page = [conversation("a", at: 3), conversation("b", at: 2), conversation("c", at: 1)]
        _ = plan.addPage(page, pageSize: 10, isUnchanged: { _ in false })
        #expect(plan.changed.map(\.id) == ["c", "b", "a"])
    }

    @Test func `Conversations without a date and without counts are fetched up to a limit`() {
        var plan = PollPlan(fetchesAll: false)
        let page = (1...30).map { conversation("c\($0)", at: nil) }
        _ = plan.addPage(page, pageSize: 30, isUnchanged: { _ in true })
        #expect(plan.changed.map(\.id) == page.prefix(20).reversed().map(\.id))
        // A change of either value is enough to detect a changed conversation.
        for member in [\Conversation.messageCount, \.unreadCount] {
            var known = conversation("a", at: nil)
            known[keyPath: member] = 1
            var plan = PollPlan(fetchesAll: false)
            _ = plan.addPage([known], pageSize: 2, isUnchanged: { _ in true })
            #expect(plan.changed.isEmpty)
        }
    }

    @Test func `The poll continues to the next page if the list is not sorted`() {
        var plan = PollPlan(fetchesAll: false)
        let page = [conversation("a", at: 1), conversation("b", at: 2)]
        let more9 = plan.addPage(page, pageSize: 2, isUnchanged: { _ in true })
        #expect(more9)
        #expect(plan.isOutOfOrder)
    }

    @Test func `The poll continues to the next page if the list has no dates`() {
        var plan = PollPlan(fetchesAll: false)
        let more10 = plan.addPage([conversation("a", at: nil)], pageSize: 1, isUnchanged: { _ in true })
        #expect(more10)
    }

    @Test func `A conversation that appears on two pages is fetched once`() {
        var plan = PollPlan(fetchesAll: true)
        _ = plan.addPage(
            [conversation("a", at: 2), conversation("b", at: 1)], pageSize: 2, isUnchanged: { _ in false })
        _ = plan.addPage(
            [conversation("b", at: 1), conversation("c", at: 0)], pageSize: 2, isUnchanged: { _ in false })
        #expect(plan.changed.map(\.id) == ["c", "b", "a"])
    }

    @Test func `A full page is followed by another request, and an empty page ends the poll`() {
        var plan = PollPlan(fetchesAll: true)
        let more11 = plan.addPage([conversation("a", at: 2)], pageSize: 1, isUnchanged: { _ in false })
        #expect(more11)
        let more = plan.addPage([], pageSize: 1, isUnchanged: { _ in false })
        #expect(!more)
    }

    @Test func `The poll ends when a server returns the same page again`() {
        var plan = PollPlan(fetchesAll: true)
        let page = [conversation("a", at: 2), conversation("b", at: 1)]
        let more = plan.addPage(page, pageSize: 2, isUnchanged: { _ in false })
        #expect(more)
        let moreOfTheSame = plan.addPage(page, pageSize: 2, isUnchanged: { _ in false })
        #expect(!moreOfTheSame)
        #expect(plan.changed.map(\.id) == ["b", "a"])
    }

    @Test func `An endless list is read only up to a limit`() {
        var plan = PollPlan(fetchesAll: true)
        var pages = 0
        var more = true
        while more, pages < 1000 {
            let page = (0..<100).map { conversation("\(pages).\($0)", at: nil) }
            more = plan.addPage(page, pageSize: 100, isUnchanged: { _ in false })
            pages += 1
        }
        #expect(plan.changed.count == PollPlan.maxConversations)
    }
}

struct BadgeTests {
    @Test func `The sum of several badges is unknown if one of the badges is unknown`() {
        let known = Badge(total: 1, unread: 2)
        #expect(Badge.sum(of: [known, known]) == Badge(total: 2, unread: 4))
        #expect(Badge.sum(of: [known, Badge(total: nil, unread: 1)]) == Badge(total: nil, unread: 3))
    }
}
