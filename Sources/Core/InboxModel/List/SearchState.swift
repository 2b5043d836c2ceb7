import ControlAPI
public import MessageText
import TextSearch

/// A full-text search of all stored messages. At most one call is in flight: if the text changes during a
/// call, the next search starts after the call returns.
struct SearchState: Hashable, Sendable {
    private(set) var text = ""
    /// The latest results with their query. The results remain visible until the next results arrive.
    private(set) var results: SearchResults?
    private var requestedQuery: String?
    /// Whether the search field is used to open a conversation by its title. If so, messages are not
    /// searched.
    private(set) var selectsConversation = false

    struct SearchResults: Hashable, Sendable {
        var words: String
        var messages: [MessageView]
        /// The matches in each message, as offsets of Unicode scalars.
        var matches: [[Range<Int>]] = []
        var services: [ServiceView] = []
        var isTruncated: Bool
        /// The error message of the search; `nil` if the search succeeded.
        var failure: String?
    }

    /// The maximum number of search terms that the daemon accepts.
    static let maxWords = 32

    var words: String {
        text.split(whereSeparator: \.isWhitespace).prefix(Self.maxWords).joined(separator: " ")
    }

    var isOn: Bool { !words.isEmpty }

    /// The query whose matches are highlighted in a thread; `nil` if nothing is highlighted.
    var query: SearchQuery? { selectsConversation ? nil : SearchQuery(words) }

    mutating func setConversationSearchActive(_ isActive: Bool) -> [Action] {
        guard isActive != selectsConversation else { return [] }
        (selectsConversation, results) = (isActive, nil)
        return updateQuery(text)
    }

    mutating func updateQuery(_ text: String) -> [Action] {
        self.text = String(text.prefix(Search.wordsLimit / 4))
        if !isOn { results = nil }
        return requestedQuery == nil ? startSearch() : []
    }

    private mutating func startSearch() -> [Action] {
        guard isOn, !selectsConversation, words != results?.words else { return [] }
        requestedQuery = words
        return [.call(.search(words: words))]
    }

    mutating func handleReply(_ reply: Search.Reply, services: [ServiceView], forQuery words: String)
        -> [Action]
    {
        finishSearch(
            with: SearchResults(
                words: words, messages: reply.messages,
                matches: reply.messages.indices.map { reply.matchRanges(inMessageAt: $0) },
                services: services,
                isTruncated: reply.cut == true))
    }

    mutating func handleFailure(ofQuery words: String, failure: CallFailure) -> [Action] {
        finishSearch(
            with: SearchResults(words: words, messages: [], isTruncated: false, failure: failure.sentence))
    }

    private mutating func finishSearch(with result: SearchResults) -> [Action] {
        guard requestedQuery == result.words else { return [] }
        requestedQuery = nil
        if isOn, !selectsConversation { results = result }
        return startSearch()
    }
}

/// The excerpt of a message in a search result: one line that starts shortly before the first match.
struct SearchExcerpt {
    let text: String
    /// The matches in `text`, as offsets of Unicode scalars.
    let matches: [Range<Int>]

    /// The maximum length of an excerpt, and the maximum length of the text before its first match, in
    /// Unicode scalars.
    private static let (length, lead) = (160, 40)
    /// The length of the searched part of a message in Unicode scalars. Matches after this part are not
    /// shown.
    static let searchedScalars = 20_000

    /// Creates the excerpt of a message.
    ///
    /// - Parameter found: the matches in the message, as offsets of Unicode scalars.
    init(of message: String, matches found: [Range<Int>]) {
        let scalars = message.unicodeScalars.prefix(Self.searchedScalars)
        let first = min(found.first?.lowerBound ?? 0, scalars.count)
        let start = first > Self.lead ? first - Self.lead : 0
        let mark = start > 0 ? "…" : ""
        var line = PlainLine(limit: Self.length)
        var matches: [Range<Int>] = []
        for (offset, scalar) in scalars.dropFirst(start).enumerated() {
            let before = line.count
            let hasRoom = line.append(scalar)
            if line.count > before, found.contains(where: { $0.contains(start + offset) }) {
                Self.addMatch(to: &matches, atOffset: before + mark.count)
            }
            if !hasRoom { break }
        }
        (text, self.matches) = (mark + line.text, matches)
    }

    private static func addMatch(to matches: inout [Range<Int>], atOffset position: Int) {
        if let last = matches.last, last.upperBound == position {
            matches[matches.count - 1] = last.lowerBound..<position + 1
        } else {
            matches.append(position..<position + 1)
        }
    }
}

extension SearchHit {
    /// The excerpt, divided into runs of matching text and of other text.
    public var excerptRuns: [TextRun] { Self.makeRuns(of: excerpt, matches: matches) }

    /// The title, divided into runs of matching text and of other text.
    public var titleRuns: [TextRun] { Self.makeRuns(of: title, matches: titleMatches) }

    private static func makeRuns(of text: String, matches: [Range<Int>]) -> [TextRun] {
        let scalars = Array(text.unicodeScalars)
        var runs: [TextRun] = []
        var place = 0
        func appendRun(upTo end: Int, isMatch: Bool) {
            guard end > place, end <= scalars.count else { return }
            runs.append(TextRun(String(String.UnicodeScalarView(scalars[place..<end])), isMatch: isMatch))
            place = end
        }
        for match in matches {
            appendRun(upTo: match.lowerBound, isMatch: false)
            appendRun(upTo: match.upperBound, isMatch: true)
        }
        appendRun(upTo: scalars.count, isMatch: false)
        return runs
    }
}
