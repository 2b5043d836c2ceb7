public import ControlAPI
import Localization

/// The page of support statistics, as a state machine.
public struct StatisticsState: PageMachine {
    public enum Input: PageInput, Hashable {
        /// The page was opened for an account; `nil` if there is only one account.
        case open(account: String?)
        case days(Int)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
    }

    public struct Call: Hashable, Sendable {
        public var account: String?
        public var days: Int
    }

    public typealias CallReply = GetStatistics.Reply

    public enum Phase: Hashable, Sendable {
        case loading
        case ready(Figures)
        /// Loading failed. The value is the error message.
        case failed(String)
    }

    /// The numbers and bar charts to show.
    public struct Figures: Hashable, Sendable {
        /// The labeled numbers, most important first.
        public var facts: [Fact]
        public var groups: [Group]

        public struct Fact: Hashable, Sendable {
            public var title: String
            public var value: String
        }

        public struct Group: Hashable, Sendable {
            public var title: String
            /// The bars of the chart, longest first.
            public var bars: [Bar]
        }

        public struct Bar: Hashable, Sendable {
            public var title: String
            public var count: Int
            /// The length as a fraction of the longest bar in the group, 0 to 1.
            public var share: Double
        }
    }

    /// The periods that the user can choose, in days.
    public static let choices = [7, 30, 90]

    public private(set) var requestedCall = Call(account: nil, days: 30)
    public private(set) var phase = Phase.loading

    public init() {}

    public mutating func handle(_ input: Input) -> [PageAction<Call, Never>] {
        switch input {
        case .open(let account): return startCall(Call(account: account, days: requestedCall.days))
        case .days(let days) where days == requestedCall.days: return []
        case .days(let days): return startCall(Call(account: requestedCall.account, days: days))
        case .answered(let call, let reply): if call == requestedCall { phase = .ready(Figures(reply)) }
        case .failed(let call, let failure): if call == requestedCall { phase = .failed(failure.sentence) }
        }
        return []
    }

    private mutating func startCall(_ call: Call) -> [PageAction<Call, Never>] {
        (requestedCall, phase) = (call, .loading)
        return [.call(call)]
    }
}

extension StatisticsState.Figures {
    init(_ reply: GetStatistics.Reply) {
        let total = reply.total ?? reply.byStatus.values.reduce(0) { $0 + max(0, $1) }
        facts = [Fact(title: localized("Conversations"), value: String(total))]
        if let answered = reply.answered {
            facts.append(Fact(title: localized("Answered"), value: String(answered)))
        }
        if let seconds = reply.averageFirstResponse {
            facts.append(Fact(title: localized("Time to First Reply"), value: Self.durationText(seconds)))
        }
        let counts: [(String, [String: Int], ConversationField)] = [
            (localized("By Status"), reply.byStatus, .status),
            (localized("By Category"), reply.byCategory, .category),
            (localized("By Priority"), reply.byPriority, .priority),
        ]
        groups = counts.compactMap { Self.makeGroup(title: $0, counts: $1, field: $2) }
    }

    private static func makeGroup(
        title: String, counts: [String: Int], field: ConversationField
    ) -> Group? {
        let counts = counts.filter { $0.value > 0 }
        guard let most = counts.values.max() else { return nil }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return Group(
            title: title,
            bars: sorted.prefix(20).map { value, count in
                Bar(
                    title: field.label(for: value), count: count,
                    share: Double(count) / Double(most))
            })
    }

    /// Returns a formatted duration; "–" if `seconds` is not a valid duration.
    static func durationText(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "–" }
        let minutes = Int((seconds / 60).rounded())
        if minutes == 0 { return localized("Less than a minute") }
        if minutes < 60 { return localized(one: "{count} minute", other: "{count} minutes", count: minutes) }
        let hours = (minutes + 30) / 60
        if hours < 48 { return localized(one: "{count} hour", other: "{count} hours", count: hours) }
        return localized(one: "{count} day", other: "{count} days", count: (hours + 12) / 24)
    }
}
