import ControlAPI
import Localization

/// The facts about the user of a conversation, for support staff.
public struct UserFacts: Hashable, Sendable {
    public struct Fact: Hashable, Sendable {
        public var label: String
        public var value: String
    }

    /// Another conversation with the same user.
    public struct Other: Hashable, Sendable {
        public var key: ConversationKey
        public var title: String
        public var status: String
    }

    public var facts: [Fact]
    /// The newest other conversations with the same user.
    public var otherConversations: [Other]
}

extension InboxState {
    private static let maxOtherConversations = 5

    /// Returns the facts about the user of a conversation. The version of the app is not included, because
    /// the API does not send it.
    func userFacts(of view: ConversationView) -> UserFacts {
        let known: [(String, String?)] = [
            (localized("Name"), view.userName), (localized("Contact"), view.userId),
            (localized("Customer"), view.customerId), (localized("App"), view.appName ?? view.appId),
            (localized("Device"), view.deviceId),
            (localized("First Message"), view.createdAt.map { formatter.relativeTimeText(for: $0) }),
        ]
        let facts = known.compactMap { label, value in
            value.map { plainLine($0, limit: 120) }.flatMap {
                $0.isEmpty ? nil : UserFacts.Fact(label: label, value: $0)
            }
        }
        let otherConversations = list.otherConversations(ofUserOf: view, limit: Self.maxOtherConversations)
            .map {
                UserFacts.Other(key: $0.key, title: $0.heading, status: statusLabel($0.status, for: .staff))
            }
        return UserFacts(facts: facts, otherConversations: otherConversations)
    }
}
