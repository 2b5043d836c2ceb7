import ControlAPI
import Testing

@testable import InboxModel

struct SearchTests {
    private func answer(
        _ words: String, _ messages: [MessageView], cut: Bool? = nil, matches: [Search.Match]? = nil
    ) -> Input {
        .answered(.search(words: words), .search(.init(messages: messages, cut: cut, matches: matches)))
    }

    @Test func `A search finds messages, and an empty result is reported`() {
        var desk = Desk.filled([Desk.view("a", "App")])
        #expect(desk.receive(.search(" crash  now ")) == [.call(.search(words: "crash now"))])
        #expect(desk.state.listView == .searching("crash now"))
        desk.receive(answer("crash now", [Desk.message("1", "A crash", at: -1440)], cut: true))
        let hit = SearchHit(
            key: Desk.key("a"), messageId: "1", title: "App", sender: "Ada", excerpt: "A crash",
            time: "Yesterday", account: nil)
        #expect(desk.state.listView == .results([hit], isCut: true))
        desk.receive(.search("none"), answer("none", []))
        #expect(desk.state.listView == .noResults("none"))
        desk.receive(.search("  "))
        #expect(desk.state.listView == .conversations(count: 1, isCut: false))
    }

    @Test func `Conversations that match by title or name come before messages`() {
        var named = Desk.view("b", "The crash")
        named.userName = "Ada"
        var desk = Desk.filled([Desk.view("a", "App"), named])
        desk.receive(.search("CRASH ada"), answer("CRASH ada", [Desk.message("1", "Ada saw a crash")]))
        guard case .results(let hits, isCut: false) = desk.state.listView else {
            Issue.record("\(desk.state.listView)")
            return
        }
        #expect(hits.map(\.messageId) == [nil, "1"])
        #expect(hits.map(\.title) == ["The crash", "App"])
        desk.receive(.search("crásh"), answer("crásh", []))
        #expect(desk.state.listView != .noResults("crásh"))
        desk.receive(.search("app"), answer("app", []))
        guard case .results(let hits, _) = desk.state.listView else {
            Issue.record("\(desk.state.listView)")
            return
        }
        #expect(hits.map(\.key) == [Desk.key("a")])
    }

    @Test func `Services come after conversations and before messages`() {
        let library = ServiceView(
            account: "default", name: "Crash\nLibrary", link: "https://l.example", host: "l.example",
            protocols: [], authorized: true, fetchedAt: 0)
        var desk = Desk.filled([Desk.view("a", "The crash")])
        let reply = Search.Reply(messages: [Desk.message("1", "A crash")], cut: nil)
        desk.receive(
            .search("crash"), .answered(.search(words: "crash"), .search(reply, services: [library])))
        guard case .results(let hits, isCut: false) = desk.state.listView else {
            Issue.record("\(desk.state.listView)")
            return
        }
        #expect(hits.map(\.title) == ["The crash", "Crash Library", "The crash"])
        #expect(hits.map(\.key) == [Desk.key("a"), nil, Desk.key("a")])
        #expect(hits[1].excerpt == "l.example" && hits[1].sender == "Service")
    }

    @Test func `One search runs at a time, and the newest text is next`() {
        var desk = Desk.filled([])
        #expect(desk.receive(.search("a")).calls == [.search(words: "a")])
        #expect(desk.receive(.search("ab"), .search("abc")).calls.isEmpty)
        #expect(desk.receive(answer("a", [])).calls == [.search(words: "abc")])
        // A late response of an earlier search.
        #expect(desk.receive(answer("a", [])).calls.isEmpty)
        #expect(desk.receive(answer("abc", [])).calls.isEmpty)
    }

    @Test func `Results stay until the next results arrive`() {
        var desk = Desk.filled([])
        desk.receive(.search("a"), answer("a", [Desk.message("1")]), .search("ab"))
        guard case .results = desk.state.listView else {
            Issue.record("\(desk.state.listView)")
            return
        }
        desk.receive(.failed(.search(words: "ab"), .refused("Too many words.")))
        #expect(desk.state.listView == .failed("Too many words."))
    }

    @Test func `Words above the daemon's limit are omitted`() {
        var desk = Desk.filled([])
        let words = (0..<40).map { "w\($0)" }.joined(separator: " ")
        let asked = (0..<32).map { "w\($0)" }.joined(separator: " ")
        #expect(desk.receive(.search(words)).calls == [.search(words: asked)])
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
    func `An excerpt begins shortly before the first match and marks all matches`(
        text: String, matches: [Range<Int>], markup: String
    ) {
        var desk = Desk.filled([Desk.view("a", "App")])
        let found = matches.map { Search.Match(message: 0, start: $0.lowerBound, length: $0.count) }
        desk.receive(.search("x"), answer("x", [Desk.message("1", text)], matches: found))
        guard case .results(let hits, _) = desk.state.listView else {
            Issue.record("\(desk.state.listView)")
            return
        }
        let marked = markup.replacing("[", with: ##"<span background="#ffe28a" foreground="#000000">"##)
            .replacing("]", with: "</span>")
        #expect(hits.map { TextRun.markup(of: $0.excerptRuns) } == [marked])
    }

    @Test func `Matches are marked in titles and in the open thread while the search is active`() {
        func marked(_ runs: [TextRun]) -> [String] { runs.filter(\.isMatch).map(\.text) }
        var desk = Desk.looking(
            at: Desk.view("a", "The Crash"), [Desk.message("1", "It **crashes** at crash 1")])
        func inThread() -> [String] {
            desk.lines.flatMap { line -> [String] in
                if case .bubble(let bubble) = line.content { marked(bubble.runs) } else { [] }
            }
        }
        #expect(inThread().isEmpty)
        desk.receive(.search("cras"), answer("cras", []))
        #expect(inThread() == ["crashes", "crash"])
        guard case .results(let hits, _) = desk.state.listView else {
            Issue.record("\(desk.state.listView)")
            return
        }
        #expect(hits.map { marked($0.titleRuns) } == [["Crash"]])
        _ = desk.entry(.messageCreated, message: Desk.message("2", "No crash", at: 1))
        #expect(inThread() == ["crashes", "crash", "crash"])
        desk.receive(.search(""))
        #expect(inThread().isEmpty)
    }

    @Test func `A search result is shown in its thread`() {
        let messages = (1...120).map { Desk.message("m\($0)", at: Int64($0)) }
        var desk = Desk.filled([Desk.view("a")])
        #expect(
            desk.receive(.open(conversation: "a", account: "default", message: "m10")).calls
                == [.thread(.init(conversation: "a", account: "default", limit: 50))])
        // The linked message is older than the requested ones.
        let more = desk.receive(messages, Desk.view("a"))
        #expect(more.calls == [.thread(.init(conversation: "a", account: "default", limit: 500))])
        let found = desk.receive(messages, Desk.view("a"))
        #expect(found.contains(.scroll(toLine: "m10")))
        #expect(desk.lines.contains { $0.sketch == "!Ada: m10" })
    }
}
