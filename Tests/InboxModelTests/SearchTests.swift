import ControlAPI
import MessageText
import Testing

@testable import InboxModel

struct SearchTests {
    private func answer(
        _ words: String, _ messages: [MessageView], cut: Bool? = nil, matches: [Search.Match]? = nil
    ) -> Input {
        .answered(.search(words: words), .search(.init(messages: messages, cut: cut, matches: matches)))
    }

    @Test func `A search lists the matching messages or states that there are none`() {
        var fixture = InboxFixture.filled([InboxFixture.view("a", "App")])
        #expect(fixture.receive(.search(" crash  now ")) == [.call(.search(words: "crash now"))])
        #expect(fixture.state.listView == .searching("crash now"))
        fixture.receive(answer("crash now", [InboxFixture.message("1", "A crash", at: -1440)], cut: true))
        let hit = SearchHit(
            key: InboxFixture.key("a"), messageId: "1", title: "App", sender: "Ada", excerpt: "A crash",
            time: "Yesterday", account: nil)
        #expect(fixture.state.listView == .results([hit], isTruncated: true))
        fixture.receive(.search("none"), answer("none", []))
        #expect(fixture.state.listView == .noResults("none"))
        fixture.receive(.search("  "))
        #expect(fixture.state.listView == .conversations(count: 1, isTruncated: false))
    }

    @Test func `Conversations that match by title or name are listed before messages`() {
        var named = InboxFixture.view("b", "The crash")
        named.userName = "Ada"
        var fixture = InboxFixture.filled([InboxFixture.view("a", "App"), named])
        fixture.receive(
            .search("CRASH ada"), answer("CRASH ada", [InboxFixture.message("1", "Ada saw a crash")]))
        guard case .results(let hits, isTruncated: false) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        #expect(hits.map(\.messageId) == [nil, "1"])
        #expect(hits.map(\.title) == ["The crash", "App"])
        fixture.receive(.search("crásh"), answer("crásh", []))
        #expect(fixture.state.listView != .noResults("crásh"))
        fixture.receive(.search("app"), answer("app", []))
        guard case .results(let hits, _) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        #expect(hits.map(\.key) == [InboxFixture.key("a")])
    }

    @Test func `Services are listed after conversations and before messages`() {
        let library = ServiceView(
            account: "default", name: "Crash\nLibrary", link: "https://l.example", host: "l.example",
            protocols: [], authorized: true, fetchedAt: 0)
        var fixture = InboxFixture.filled([InboxFixture.view("a", "The crash")])
        let reply = Search.Reply(messages: [InboxFixture.message("1", "A crash")], cut: nil)
        fixture.receive(
            .search("crash"), .answered(.search(words: "crash"), .search(reply, services: [library])))
        guard case .results(let hits, isTruncated: false) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        #expect(hits.map(\.title) == ["The crash", "Crash Library", "The crash"])
        #expect(hits.map(\.key) == [InboxFixture.key("a"), nil, InboxFixture.key("a")])
        #expect(hits[1].excerpt == "l.example" && hits[1].sender == "Service")
    }

    @Test func `Input during a search starts only one further search, for the latest input`() {
        var fixture = InboxFixture.filled([])
        #expect(fixture.receive(.search("a")).calls == [.search(words: "a")])
        #expect(fixture.receive(.search("ab"), .search("abc")).calls.isEmpty)
        #expect(fixture.receive(answer("a", [])).calls == [.search(words: "abc")])
        // A response to an earlier search that arrives late must be ignored.
        #expect(fixture.receive(answer("a", [])).calls.isEmpty)
        #expect(fixture.receive(answer("abc", [])).calls.isEmpty)
    }

    @Test func `The results of a search are shown until the next results arrive`() {
        var fixture = InboxFixture.filled([])
        fixture.receive(.search("a"), answer("a", [InboxFixture.message("1")]), .search("ab"))
        guard case .results = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        fixture.receive(.failed(.search(words: "ab"), .refused("Too many words.")))
        #expect(fixture.state.listView == .failed("Too many words."))
    }

    @Test func `Search words beyond the daemon's limit are omitted`() {
        var fixture = InboxFixture.filled([])
        let words = (0..<40).map { "w\($0)" }.joined(separator: " ")
        let asked = (0..<32).map { "w\($0)" }.joined(separator: " ")
        #expect(fixture.receive(.search(words)).calls == [.search(words: asked)])
    }

    @Test(arguments: [
        ("Short", [0..<5], "[Short]"), ("A\nB", [2..<3], "A [B]"), ("None", [], "None"),
        ("a <b>\n\n& b", [7..<8], "a &lt;b&gt; [&amp;] b"),
        (
            String(repeating: "a ", count: 100) + "Needle end", [200..<206],
            "…" + String(repeating: "a ", count: 20) + "[Needle] end"
        ),
        (
            String(repeating: "é", count: 200), [0..<2, 300..<400],
            "[éé]" + String(repeating: "é", count: 158) + "…"
        ),
        ("東京都", [0..<2], "[東京]都"), ("gone", [90..<95], "gone"),
    ])
    func `An excerpt begins shortly before the first match, and all matches are marked`(
        text: String, matches: [Range<Int>], markup: String
    ) {
        var fixture = InboxFixture.filled([InboxFixture.view("a", "App")])
        let found = matches.map { Search.Match(message: 0, start: $0.lowerBound, length: $0.count) }
        fixture.receive(.search("x"), answer("x", [InboxFixture.message("1", text)], matches: found))
        guard case .results(let hits, _) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        let marked = markup.replacing("[", with: ##"<span background="#ffe28a" foreground="#000000">"##)
            .replacing("]", with: "</span>")
        #expect(hits.map { TextRun.markup(of: $0.excerptRuns) } == [marked])
    }

    @Test func `An excerpt contains no style delimiters, and marks the matches in the visible text`() {
        var fixture = InboxFixture.filled([InboxFixture.view("a", "App")])
        let message = InboxFixture.message("1", "A **crash** in `run`")
        let found = [Search.Match(message: 0, start: 4, length: 5)]
        fixture.receive(.search("crash"), answer("crash", [message], matches: found))
        guard case .results(let hits, _) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        #expect(hits.map(\.excerpt) == ["A crash in run"])
        #expect(hits.map { $0.excerptRuns.filter(\.isMatch).map(\.text) } == [["crash"]])
    }

    @Test func `During a search, matches are marked in titles and in the open conversation`() {
        func marked(_ runs: [TextRun]) -> [String] { runs.filter(\.isMatch).map(\.text) }
        var fixture = InboxFixture.looking(
            at: InboxFixture.view("a", "The Crash"), [InboxFixture.message("1", "It **crashes** at crash 1")])
        func inThread() -> [String] {
            fixture.lines.flatMap { line -> [String] in
                if case .bubble(let bubble) = line.content { marked(bubble.runs) } else { [] }
            }
        }
        #expect(inThread().isEmpty)
        fixture.receive(.search("cras"), answer("cras", []))
        #expect(inThread() == ["crashes", "crash"])
        guard case .results(let hits, _) = fixture.state.listView else {
            Issue.record("\(fixture.state.listView)")
            return
        }
        #expect(hits.map { marked($0.titleRuns) } == [["Crash"]])
        _ = fixture.entry(.messageCreated, message: InboxFixture.message("2", "No crash", at: 1))
        #expect(inThread() == ["crashes", "crash", "crash"])
        fixture.receive(.search(""))
        #expect(inThread().isEmpty)
    }

    @Test func `Opening a search result shows the message in its conversation`() {
        let messages = (1...120).map { InboxFixture.message("m\($0)", at: Int64($0)) }
        var fixture = InboxFixture.filled([InboxFixture.view("a")])
        #expect(
            fixture.receive(.open(conversation: "a", account: "default", message: "m10")).calls
                == [.thread(.init(conversation: "a", account: "default", limit: 50))])
        // The linked message is older than the messages in the first response, so more messages are
        // requested.
        let more = fixture.receive(messages, InboxFixture.view("a"))
        #expect(more.calls == [.thread(.init(conversation: "a", account: "default", limit: 500))])
        let found = fixture.receive(messages, InboxFixture.view("a"))
        #expect(found.contains(.scroll(toLine: "m10")))
        #expect(fixture.lines.contains { $0.sketch == "!Ada: m10" })
    }
}
