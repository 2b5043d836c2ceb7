import ControlAPI
import Domain
import TextSearch

/// The list of all conversations, newest message first, and the list of the conversations that match the
/// filter. An update finds its row by binary search, so that the cost hardly depends on the number of
/// conversations.
struct ConversationList: Sendable {
    private var views: [ConversationKey: ConversationView] = [:]
    private var visible: [SortKey] = []
    /// The conversations that were updated while the list was being requested. The reply may contain older
    /// data of these conversations.
    private var updatesDuringRequest: [ConversationKey: ConversationView] = [:]
    private(set) var filter = ListFilter()
    /// The user's admin ID for each staff account; `nil` if unknown.
    private var admins: [String: String?] = [:]
    /// The selected conversation, which remains in the filtered list even if the filter no longer includes
    /// it, for example because the user has read it.
    private(set) var chosen: ConversationKey?

    private struct SortKey: Hashable, Comparable {
        var time: Int64
        var key: ConversationKey

        init(_ view: ConversationView) {
            (time, key) = (view.sortedAt ?? 0, view.key)
        }

        static func < (one: SortKey, other: SortKey) -> Bool {
            one.time == other.time ? one.key < other.key : one.time > other.time
        }
    }

    var isEmpty: Bool { views.isEmpty }
    /// The number of all conversations, including those that the filter hides.
    var count: Int { views.count }
    var visibleKeys: [ConversationKey] { visible.map(\.key) }
    var visibleCount: Int { visible.count }
    /// The number of unread messages, excluding muted conversations.
    var unread: Int { views.values.reduce(0) { $0 + ($1.muted == true ? 0 : $1.unreadCount ?? 0) } }
    var tagNames: [String] { Set(views.values.flatMap { ($0.tags ?? []).map(\.tagName) }).sorted() }

    subscript(key: ConversationKey) -> ConversationView? { views[key] }

    func visibleConversation(at index: Int) -> ConversationView? {
        visible.indices.contains(index) ? views[visible[index].key] : nil
    }

    /// Returns the row index of the conversation in the filtered list; `nil` if the filter hides the
    /// conversation.
    func index(of key: ConversationKey) -> Int? {
        guard let view = views[key] else { return nil }
        let place = SortKey(view)
        let index = insertionIndex(for: place)
        return index < visible.count && visible[index] == place ? index : nil
    }

    /// Returns the newest conversations whose title, user, app or tags match `query`, including those that
    /// the filter hides.
    func conversations(matching query: SearchQuery, limit: Int) -> [ConversationView] {
        let found = views.values.filter { view in
            let tags = (view.tags ?? []).map(\.tagName)
            return query.matches([view.heading, view.userName ?? "", view.appName ?? ""] + tags)
        }
        return Array(found.sorted { SortKey($0) < SortKey($1) }.prefix(limit))
    }

    /// Returns the newest other conversations of the app's user who started the conversation `view`,
    /// including conversations that the filter hides.
    func otherConversations(ofUserOf view: ConversationView, limit: Int) -> [ConversationView] {
        let found = views.values.filter { other in
            other.account == view.account && other.conversationId != view.conversationId
                && (other.userId != nil && other.userId == view.userId
                    || other.customerId != nil && other.customerId == view.customerId
                    || other.deviceId != nil && other.deviceId == view.deviceId)
        }
        return Array(found.sorted { SortKey($0) < SortKey($1) }.prefix(limit))
    }

    /// Returns the keys of all conversations with this ID, sorted by account.
    func keys(ofConversation id: String) -> [ConversationKey] {
        // Look up the ID once per account, because there are few accounts but many conversations.
        Set(views.values.lazy.map(\.account)).sorted().map { ConversationKey(account: $0, conversation: id) }
            .filter { views[$0] != nil }
    }

    mutating func replace(with list: [ConversationView]) -> [Action] {
        let before = views
        views = Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
        for (key, update) in updatesDuringRequest { views[key] = before[key] ?? update }
        forgetUpdates()
        let changed = views.filter { before[$0.key].map { [view = $0.value] in $0 != view } ?? false }.keys
        return rebuildVisibleRows() + changed.sorted().flatMap { reloadRow(of: $0) }
    }

    /// Returns the number of conversations in `view`, regardless of the current filter.
    func conversationCount(in view: InboxView) -> Int {
        let filter = ListFilter(view: view)
        return views.values.count { filter.includes($0, ownAdminIDs: admins) }
    }

    mutating func setOwnAdminIDs(_ admins: [String: String?]) -> [Action] {
        if admins == self.admins { return [] }
        self.admins = admins
        return rebuildVisibleRows()
    }

    mutating func setFilter(_ filter: ListFilter) -> [Action] {
        if filter == self.filter { return [] }
        self.filter = filter
        return rebuildVisibleRows()
    }

    /// Forgets which conversations were updated during a request that failed or will be repeated.
    mutating func forgetUpdates() { updatesDuringRequest.removeAll() }

    /// Records an update that arrived while the list was being requested. The update takes precedence over
    /// the data in the reply.
    mutating func recordUpdate(_ view: ConversationView) { updatesDuringRequest[view.key] = view }

    /// Inserts or updates a conversation. Returns the actions that update the list.
    ///
    /// - Parameter isListRequestInFlight: whether a list request is in flight. If so, `view` is newer than
    ///   the data in its reply.
    mutating func insertOrUpdate(_ view: ConversationView, isListRequestInFlight: Bool = false) -> [Action] {
        if isListRequestInFlight { recordUpdate(view) }
        let before = views[view.key]
        if before == view { return [] }
        let old = index(of: view.key)
        views[view.key] = view
        let isVisible = filter.includes(view, ownAdminIDs: admins) || view.key == chosen
        if old != nil, isVisible, before.map(SortKey.init) == SortKey(view) { return [.row(view.key)] }
        var actions: [Action] = []
        if let old {
            visible.remove(at: old)
            actions.append(.rows(Splice(at: old, removed: 1, added: [])))
        }
        if isVisible {
            let new = insertionIndex(for: SortKey(view))
            visible.insert(SortKey(view), at: new)
            actions.append(.rows(Splice(at: new, removed: 0, added: [view.key])))
        }
        return actions
    }

    /// Reloads the row of a conversation after a change that is not part of the conversation, such as a
    /// draft.
    func reloadRow(of key: ConversationKey?) -> [Action] {
        key.flatMap { index(of: $0) == nil ? nil : [.row($0)] } ?? []
    }

    func reloadAllRows() -> [Action] { visible.map { .row($0.key) } }

    mutating func select(_ key: ConversationKey?) -> [Action] {
        let former = chosen
        if former == key { return [] }
        chosen = key
        var actions: [Action] = []
        // A conversation that was read remains in the filtered list until the user selects another
        // conversation.
        if let former, let view = views[former], !filter.includes(view, ownAdminIDs: admins),
            let index = index(of: former)
        {
            visible.remove(at: index)
            actions.append(.rows(Splice(at: index, removed: 1, added: [])))
        } else {
            actions += reloadRow(of: former)
        }
        guard let key, let view = views[key] else { return actions }
        if index(of: key) != nil { return actions + reloadRow(of: key) }
        let index = insertionIndex(for: SortKey(view))
        visible.insert(SortKey(view), at: index)
        return actions + [.rows(Splice(at: index, removed: 0, added: [key]))]
    }

    private mutating func rebuildVisibleRows() -> [Action] {
        let former = visible.map(\.key)
        visible = views.values.filter { filter.includes($0, ownAdminIDs: admins) || $0.key == chosen }.map(
            SortKey.init
        ).sorted()
        let splice = Splice(from: former, to: visible.map(\.key))
        return splice.map { [.rows($0)] } ?? []
    }

    /// Returns the first index whose sort key is not less than `sortKey`.
    private func insertionIndex(for sortKey: SortKey) -> Int {
        var (low, high) = (0, visible.count)
        while low < high {
            let middle = (low + high) / 2
            if visible[middle] < sortKey { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
