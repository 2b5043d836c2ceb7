import ControlAPI
import TextSearch

/// The conversations, those with the newest message first, and those that the filter lets through. A change costs the search for its
/// place, however many there are.
struct ConversationList: Sendable {
    private var views: [ConversationKey: ConversationView] = [:]
    private var visible: [Place] = []
    private(set) var filter = ListFilter()
    /// Stays in a filtered list although it was read meanwhile.
    private(set) var chosen: ConversationKey?

    /// Where a conversation stands.
    private struct Place: Hashable, Comparable {
        var time: Int64
        var key: ConversationKey

        init(_ view: ConversationView) {
            (time, key) = (view.sortedAt ?? 0, view.key)
        }

        static func < (one: Place, other: Place) -> Bool {
            one.time == other.time ? one.key < other.key : one.time > other.time
        }
    }

    var isEmpty: Bool { views.isEmpty }
    /// Of all, whatever the filter says.
    var count: Int { views.count }
    var visibleKeys: [ConversationKey] { visible.map(\.key) }
    var visibleCount: Int { visible.count }
    var unread: Int { views.values.reduce(0) { $0 + ($1.unreadCount ?? 0) } }
    var tagNames: [String] { Set(views.values.flatMap { ($0.tags ?? []).map(\.tagName) }).sorted() }

    subscript(key: ConversationKey) -> ConversationView? { views[key] }

    func view(at index: Int) -> ConversationView? {
        visible.indices.contains(index) ? views[visible[index].key] : nil
    }

    /// In the visible list.
    func index(of key: ConversationKey) -> Int? {
        guard let view = views[key] else { return nil }
        let place = Place(view)
        let index = insertion(of: place)
        return index < visible.count && visible[index] == place ? index : nil
    }

    /// The newest conversations whose title, people, app and tags match, whatever the filter says.
    func views(matching query: SearchQuery, limit: Int) -> [ConversationView] {
        let found = views.values.filter { view in
            let tags = (view.tags ?? []).map(\.tagName)
            return query.matches([view.heading, view.userName ?? "", view.appName ?? ""] + tags)
        }
        return Array(found.sorted { Place($0) < Place($1) }.prefix(limit))
    }

    /// Those with this id, by account.
    func keys(ofConversation id: String) -> [ConversationKey] {
        // Accounts are few, conversations many.
        Set(views.values.lazy.map(\.account)).sorted().map { ConversationKey(account: $0, conversation: id) }
            .filter { views[$0] != nil }
    }

    mutating func replace(with list: [ConversationView]) -> [Action] {
        let before = views
        views = Dictionary(list.map { ($0.key, $0) }) { first, _ in first }
        let changed = views.filter { before[$0.key].map { [view = $0.value] in $0 != view } ?? false }.keys
        return rebuild() + changed.sorted().flatMap { touch($0) }
    }

    mutating func set(_ filter: ListFilter) -> [Action] {
        if filter == self.filter { return [] }
        self.filter = filter
        return rebuild()
    }

    /// A conversation as it is now.
    mutating func put(_ view: ConversationView) -> [Action] {
        let before = views[view.key]
        if before == view { return [] }
        let old = index(of: view.key)
        views[view.key] = view
        let isVisible = filter.includes(view) || view.key == chosen
        if old != nil, isVisible, before.map(Place.init) == Place(view) { return [.row(view.key)] }
        var actions: [Action] = []
        if let old {
            visible.remove(at: old)
            actions.append(.rows(Splice(at: old, removed: 1, added: [])))
        }
        if isVisible {
            let new = insertion(of: Place(view))
            visible.insert(Place(view), at: new)
            actions.append(.rows(Splice(at: new, removed: 0, added: [view.key])))
        }
        return actions
    }

    /// What is shown beside the conversation itself changed.
    func touch(_ key: ConversationKey?) -> [Action] {
        key.flatMap { index(of: $0) == nil ? nil : [.row($0)] } ?? []
    }

    /// All of what is visible is written anew.
    func touchAll() -> [Action] { visible.map { .row($0.key) } }

    mutating func choose(_ key: ConversationKey?) -> [Action] {
        let former = chosen
        if former == key { return [] }
        chosen = key
        var actions: [Action] = []
        // What was read leaves a filtered list once something else is looked at.
        if let former, let view = views[former], !filter.includes(view), let index = index(of: former) {
            visible.remove(at: index)
            actions.append(.rows(Splice(at: index, removed: 1, added: [])))
        } else {
            actions += touch(former)
        }
        guard let key, let view = views[key] else { return actions }
        if index(of: key) != nil { return actions + touch(key) }
        let index = insertion(of: Place(view))
        visible.insert(Place(view), at: index)
        return actions + [.rows(Splice(at: index, removed: 0, added: [key]))]
    }

    private mutating func rebuild() -> [Action] {
        let former = visible.map(\.key)
        visible = views.values.filter { filter.includes($0) || $0.key == chosen }.map(Place.init).sorted()
        let splice = Splice(from: former, to: visible.map(\.key))
        return splice.map { [.rows($0)] } ?? []
    }

    /// The first place that is not before `place`.
    private func insertion(of place: Place) -> Int {
        var (low, high) = (0, visible.count)
        while low < high {
            let middle = (low + high) / 2
            if visible[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
