import ControlAPI
import Localization
import TextSearch

/// The controls for support staff in the open conversation, with their current values.
public struct StaffTools: Hashable, Sendable {
    /// The value of a field. If a change is pending, the value after the change.
    public struct Choice: Hashable, Sendable {
        /// The value of the field; `nil` if the service did not send it.
        public var value: String?
        public var isPending: Bool
    }

    public struct Admin: Hashable, Sendable {
        public var assignee: Assignee
        public var name: String
    }

    public struct TagState: Hashable, Sendable {
        public var label: TagLabel
        /// Whether a change of the tag is pending. `isBeingRemoved`: whether that change removes the tag.
        public var isPending: Bool
        public var isBeingRemoved: Bool
    }

    public var key: ConversationKey
    public var choices: [ConversationField: Choice]
    public var assignee: Admin
    public var isAssigneePending: Bool
    /// The possible assignees: none, the user, or a known colleague.
    public var admins: [Admin]
    public var tags: [TagState]
    /// The known tags that this conversation does not have.
    public var otherTags: [String]
    /// A sentence about the latest reply of a colleague that arrived after the thread was opened; `nil` if no
    /// colleague replied.
    public var colleagueReply: String?
    public var user = UserFacts(facts: [], otherConversations: [])

    /// A summary of status, priority and assignee on one line.
    public var summary: String {
        let words = [ConversationField.status, .priority].compactMap { field in
            choices[field]?.value.map { field.label(for: $0) }
        }
        let assigned =
            switch assignee.assignee {
            case .unassigned: localized("Unassigned")
            case .me: localized("Assigned to you")
            case .admin: localized("Assigned to {admin}", ["admin": assignee.name])
            }
        let isPending = isWaiting ? [localized("queued")] : []
        return (words + [assigned] + (colleagueReply.map { [$0] } ?? []) + isPending).joined(
            separator: " · ")
    }

    var isWaiting: Bool {
        isAssigneePending || choices.values.contains(where: \.isPending) || tags.contains(where: \.isPending)
    }
}

/// The sessions of staff accounts, with their known colleagues, tags and canned responses.
struct StaffState: Sendable {
    /// The latest sessions by account.
    private(set) var sessions: [String: SessionView] = [:]
    /// The names of colleagues by ID, for each account. The names are collected from the colleagues'
    /// messages.
    private var colleagues: [String: [String: String]] = [:]
    /// The names of the known tags, for each account.
    private var tags: [String: [String]] = [:]
    /// The conversation that the user resolved last, and its previous status, for "undo"; `nil` if there is
    /// nothing to undo.
    var resolved: (key: ConversationKey, status: String)?
    private var canned: [String: [CannedResponseView]] = [:]
    /// The maximum number of colleagues, and of tags, that are stored for each account.
    private static let maxNames = 200

    /// Returns the admin ID of the signed-in user, or the subject if the admin ID is unknown; `nil` if the
    /// account is signed out or unknown.
    func ownAdminID(in account: String) -> String? {
        sessions[account].flatMap { $0.auth == .authenticated ? $0.adminId ?? $0.subject : nil }
    }

    mutating func setSession(_ session: SessionView) { sessions[session.account] = session }

    mutating func setTags(_ list: [TagView], of account: String) {
        let names = Set(list.map(\.tagName))
        tags[account] = Array(names.sorted().prefix(Self.maxNames))
    }

    mutating func setCannedResponses(_ responses: [CannedResponseView], of account: String) {
        canned[account] = Array(responses.prefix(Self.maxResponses))
    }

    /// The maximum number of canned responses stored for each account.
    private static let maxResponses = 1000

    /// Returns the canned responses whose title or text matches, best first.
    func cannedResponses(matching query: String, in account: String) -> [CannedResponseView] {
        let responses = canned[account] ?? []
        guard let query = SearchQuery(query) else { return responses }
        let byTitle = responses.filter { query.matches([$0.title]) }
        let known = Set(byTitle.map(\.responseId))
        return byTitle
            + responses.filter { !known.contains($0.responseId) && query.matches([$0.title, $0.content]) }
    }

    mutating func recordColleague(from message: MessageView) {
        guard message.senderType == "admin", let id = message.senderId, let name = message.senderName,
            colleagues[message.account, default: [:]].count < Self.maxNames
        else { return }
        colleagues[message.account, default: [:]][id] = plainLine(name, limit: 80)
    }

    func name(ofAdmin admin: String, in account: String) -> String {
        colleagues[account]?[admin] ?? plainLine(admin, limit: 60)
    }

    /// Returns the controls for support staff, with the values of a conversation.
    ///
    /// - Parameter pendingActions: the pending changes, oldest first.
    func tools(for view: ConversationView, pendingActions: [StaffAction]) -> StaffTools {
        var (choices, assigned, waitsAdmin): ([ConversationField: StaffTools.Choice], Assignee?, Bool) =
            ([:], nil, false)
        for field in ConversationField.allCases {
            choices[field] = StaffTools.Choice(value: field.currentValue(in: view), isPending: false)
        }
        for work in pendingActions {
            switch work {
            case .assign(let to): (assigned, waitsAdmin) = (to, true)
            case .set(let field, let value):
                choices[field] = StaffTools.Choice(value: value, isPending: true)
            case .tag, .untag: break
            }
        }
        let tags = tagStates(of: view, pendingActions: pendingActions)
        let ready = Set(tags.map(\.label.name))
        return StaffTools(
            key: view.key, choices: choices,
            assignee: admin(
                for: assigned ?? assignee(withID: view.assignedAdminId, in: view.account), in: view.account),
            isAssigneePending: waitsAdmin, admins: possibleAssignees(of: view), tags: tags,
            otherTags: (self.tags[view.account] ?? []).filter { !ready.contains($0) })
    }

    private func assignee(withID id: String?, in account: String) -> Assignee {
        guard let id else { return .unassigned }
        return id == ownAdminID(in: account) ? .me : .admin(id)
    }

    private func admin(for assignee: Assignee, in account: String) -> StaffTools.Admin {
        let name =
            switch assignee {
            case .unassigned: localized("No One")
            case .me: localized("You")
            case .admin(let id): self.name(ofAdmin: id, in: account)
            }
        return StaffTools.Admin(assignee: assignee, name: name)
    }

    private func possibleAssignees(of view: ConversationView) -> [StaffTools.Admin] {
        let me = ownAdminID(in: view.account)
        // A machine account (client credentials) cannot be an assignee.
        let isPerson = sessions[view.account]?.method != "client"
        var ids = Set((colleagues[view.account] ?? [:]).keys)
        if let assigned = view.assignedAdminId { ids.insert(assigned) }
        let others = ids.filter { $0 != me }.map { admin(for: .admin($0), in: view.account) }
        let first = ([.unassigned] + (isPerson ? [.me] : [])).map { admin(for: $0, in: view.account) }
        return first + others.sorted { ($0.name, "\($0.assignee)") < ($1.name, "\($1.assignee)") }
    }

    private func tagStates(of view: ConversationView, pendingActions: [StaffAction]) -> [StaffTools.TagState]
    {
        var states = view.tagLabels.map {
            StaffTools.TagState(label: $0, isPending: false, isBeingRemoved: false)
        }
        for work in pendingActions {
            switch work {
            case .tag(let name):
                if let index = states.firstIndex(where: { $0.label.name == name }) {
                    (states[index].isPending, states[index].isBeingRemoved) = (
                        states[index].isBeingRemoved, false
                    )
                } else {
                    states.append(.init(label: TagLabel(name: name), isPending: true, isBeingRemoved: false))
                }
            case .untag(let name):
                for index in states.indices where states[index].label.name == name {
                    (states[index].isPending, states[index].isBeingRemoved) = (true, true)
                }
            case .assign, .set: break
            }
        }
        return states
    }
}
