public import Config
internal import CutieAPI

extension Policy {
    public var hasRules: Bool { !rules.isEmpty }

    /// Whether a rule takes a message out of the badge too, and from the hooks: it is only kept.
    public func ignores(_ subject: Subject) -> Bool { rule(for: subject)?.then.show == .ignore }

    /// By rule, else by priority.
    public func urgency(of subject: Subject) -> Rule.Urgency {
        if let urgency = rule(for: subject)?.then.urgency { return urgency }
        return switch subject.conversation?.priority {
        case .low: .low
        case .urgent: .critical
        default: .normal
        }
    }

    /// By rule, else the configured one.
    public func sound(of subject: Subject) -> NotificationConfiguration.Sound {
        rule(for: subject)?.then.sound ?? configuration.sound
    }

    /// Which rule keeps a message from popping up; nil where none does.
    func ruledOut(_ subject: Subject) -> String? {
        guard let index = index(for: subject) else { return nil }
        let name = "rule \(index + 1) of the configuration (\(rules[index].match))"
        return switch rules[index].then.show {
        case .silent: name
        case .ignore: name + ", which ignores it"
        case .popUp, nil: nil
        }
    }

    private func rule(for subject: Subject) -> Rule? { index(for: subject).map { rules[$0] } }

    private func index(for subject: Subject) -> Int? { rules.firstIndex { $0.match.fits(subject) } }
}
