public import Config
internal import CutieAPI

extension Policy {
    public var hasRules: Bool { !rules.isEmpty }

    /// Returns whether a rule ignores a message. An ignored message is stored, but it is not counted in the
    /// badge and starts no hook.
    public func ignores(_ subject: NotificationSubject) -> Bool { rule(for: subject)?.then.show == .ignore }

    /// Returns the urgency of the matching rule; if no rule matches, the urgency for the priority of the
    /// conversation.
    public func urgency(of subject: NotificationSubject) -> Rule.Urgency {
        if let urgency = rule(for: subject)?.then.urgency { return urgency }
        return switch subject.conversation?.priority {
        case .low: .low
        case .urgent: .critical
        default: .normal
        }
    }

    /// Returns the sound of the matching rule; if no rule matches, the configured sound.
    public func sound(of subject: NotificationSubject) -> NotificationConfiguration.Sound {
        rule(for: subject)?.then.sound ?? configuration.sound
    }

    /// Returns a description of the rule that suppresses the notification; `nil` if no rule suppresses it.
    func suppressionReason(for subject: NotificationSubject) -> String? {
        guard let index = ruleIndex(for: subject) else { return nil }
        let name = "rule \(index + 1) of the configuration (\(rules[index].match))"
        return switch rules[index].then.show {
        case .silent: name
        case .ignore: name + ", which ignores it"
        case .notify, nil: nil
        }
    }

    private func rule(for subject: NotificationSubject) -> Rule? { ruleIndex(for: subject).map { rules[$0] } }

    private func ruleIndex(for subject: NotificationSubject) -> Int? {
        rules.firstIndex { $0.match.matches(subject) }
    }
}
