/// Where a message is on its way to the person.
public enum Stage: String, CaseIterable, Sendable {
    case received, stored, announcing, shown, held, closed, read
}

extension Stage {
    /// How it is written. Never 0 or 1, so that every stage takes the same room in a row: a change of
    /// stage then overwrites a long message's row in place.
    var code: Int64 {
        switch self {
        case .received: 2
        case .stored: 3
        case .announcing: 4
        case .shown: 5
        case .held: 6
        case .closed: 7
        case .read: 8
        }
    }

    /// `received` for a code this version does not know.
    init(code: Int64) {
        self = Stage.allCases.first { $0.code == code } ?? .received
    }
}
