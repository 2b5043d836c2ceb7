import ControlAPI
public import Domain
public import Localization
import MessageText
import Reasons
import TextSearch

// The content of the views, as values.
extension InboxState {
    public var daemonView: DaemonView { daemon.view }

    public var accounts: [String] { (status?.accounts ?? []).map(\.name) }

    public func title(of account: String) -> String {
        plainLine(status?.accounts.first { $0.name == account }?.title ?? account, limit: 80)
    }

    /// The user's role, according to the kinds of all accounts.
    public var role: UserRole {
        let kinds = (status?.accounts ?? []).map(\.kind)
        return UserRole(isUser: kinds.contains(.device), isStaff: kinds.contains(.staff))
    }

    func role(in account: String) -> UserRole { isStaffAccount(account) ? .staff : .user }

    /// The accounts that can start conversations. If several accounts share an inbox, only one of these
    /// accounts is included.
    var writingAccounts: [String] {
        (status?.accounts ?? []).filter { $0.kind == .device && $0.inboxOf == nil }.map(\.name)
    }

    /// The device accounts, including accounts that share an inbox.
    public var deviceAccounts: [String] {
        (status?.accounts ?? []).filter { $0.kind == .device }.map(\.name)
    }

    /// Whether the user can start a conversation; staff accounts can only reply.
    public var canStartConversation: Bool { status == nil || !writingAccounts.isEmpty }

    var hasSeveralAccounts: Bool { accounts.count > 1 }

    /// The number of unread messages, excluding muted conversations; `nil` until the list is loaded.
    public var unread: Int? { isListTruncated == nil ? nil : list.unread }

    public var banner: Banner? {
        if let banner = connectionBanner { return banner }
        guard daemon == .ready, let status else { return nil }
        if let question = questions.first { return .question(question, count: questions.count) }
        if status.outboxFailed > 0 { return .notSent(status.outboxFailed) }
        if let account = status.accounts.first(where: \.isConnecting) {
            return .connecting(account: distinguishingTitle(of: account.name))
        }
        // Show no banner for hidden text, because the user configured notifications to hide text.
        return bannersForHolds(in: status).first { $0 != .hidesText }
    }

    /// Whether the banner shows the pending questions: the daemon is connected, and no account has a problem,
    /// which would have precedence.
    public var displaysQuestions: Bool { daemon == .ready && status != nil && connectionBanner == nil }

    /// The banner about an account that cannot receive messages, which has precedence over a question.
    private var connectionBanner: Banner? {
        guard isConfigured != false || !accounts.isEmpty else { return .notConfigured }
        guard daemon == .ready, let status else { return nil }
        if status.accounts.isEmpty { return .notConfigured }
        if let account = signedOutAccounts.sorted().first { return .signedOut(title(of: account)) }
        if let account = status.accounts.first(where: { $0.state == .stopped }) {
            return bannerForStoppedAccount(account)
        }
        if let account = status.accounts.first(where: { $0.state == .offline }) {
            return bannerForOfflineAccount(account)
        }
        return nil
    }

    private func bannersForHolds(in status: GetStatus.Reply) -> [Banner] {
        status.currentHolds.map { hold in
            let until = hold.until.map { formatter.relativeTimeText(for: $0) }
            return switch hold.reason {
            case .off: .notificationsOff
            case .paused: .paused(until: until, hidesText: false)
            case .privatePause: .paused(until: until, hidesText: true)
            case .quietHours: .quietHours(until: until)
            case .noServer: .noNotificationServer
            case .presence: .hidesText
            }
        }
    }

    private func bannerForStoppedAccount(_ account: AccountView) -> Banner {
        let reason = account.reasonValue
        return .stopped(
            account: distinguishingTitle(of: account.name),
            reason: reason?.localizedProblem ?? localized("The service does not accept this device."),
            advice: reason?.localizedAdvice)
    }

    private func bannerForOfflineAccount(_ account: AccountView) -> Banner {
        .offline(
            account: distinguishingTitle(of: account.name),
            since: offlineSince[account.name].map { formatter.relativeTimeText(for: $0) },
            reason: account.reasonValue?.localized)
    }

    private func distinguishingTitle(of account: String) -> String? {
        hasSeveralAccounts ? title(of: account) : nil
    }

    public var notificationStatus: NotificationStatus? {
        status.map { NotificationStatus(isPaused: $0.paused, holds: bannersForHolds(in: $0)) }
    }

    public var formView: FormView? {
        guard var view = form.makeView(accounts: writingAccounts) else { return nil }
        let titles = view.accounts.map(title(of:))
        view.accountTitles = titles
        return view
    }
}

// MARK: - The list

extension InboxState {
    public var filter: ListFilter { list.filter }
    public var tagNames: [String] { list.tagNames }
    public var chosen: ConversationKey? { list.chosen }

    public var listView: ListView {
        if search.isOn { return searchView }
        guard let isListTruncated else { return listFailure.map { .failed($0) } ?? .loading }
        if list.isEmpty { return .empty }
        return list.visibleCount == 0
            ? .noMatches(list.filter) : .conversations(count: list.visibleCount, isTruncated: isListTruncated)
    }

    private var searchView: ListView {
        if search.selectsConversation {
            let hits = conversationHits(matching: search.words)
            return hits.isEmpty ? .noConversation(search.words) : .results(hits, isTruncated: false)
        }
        guard let found = search.results else { return .searching(search.words) }
        if let failure = found.failure { return .failed(failure) }
        let hits =
            conversationHits(matching: found.words)
            + found.services.prefix(Self.maxServiceHits).map(searchHit)
            + zip(found.messages, found.matches).map {
                searchHit(for: $0, matches: $1, query: found.words)
            }
        return hits.isEmpty ? .noResults(found.words) : .results(hits, isTruncated: found.isTruncated)
    }

    /// The maximum number of conversations in search results.
    private static let maxConversationHits = 20
    /// The maximum number of services in search results. The page of apps and services shows all services.
    private static let maxServiceHits = 20

    private func conversationHits(matching query: String) -> [SearchHit] {
        guard let query = SearchQuery(query) else { return [] }
        return list.conversations(matching: query, limit: Self.maxConversationHits).map { view in
            let excerpt = lastMessagePreview(of: view)
            return SearchHit(
                key: view.key, messageId: nil, title: view.heading, sender: localized("Conversation"),
                excerpt: excerpt, time: view.sortedAt.map { self.formatter.shortTimeText(for: $0) } ?? "",
                account: distinguishingTitle(of: view.account), matches: query.findRanges(in: excerpt),
                titleMatches: query.findRanges(in: view.heading))
        }
    }

    private func searchHit(for service: ServiceView) -> SearchHit {
        SearchHit(
            key: nil, messageId: nil, title: plainLine(service.name, limit: 100),
            sender: localized("Service"), excerpt: plainLine(service.host, limit: 100),
            time: service.usedAt.map { formatter.shortTimeText(for: $0) } ?? "",
            account: distinguishingTitle(of: service.account))
    }

    /// Returns the search result for a message. The excerpt contains no style delimiters. If the message
    /// contains delimiters, searches the visible text again, because `matches` are offsets in the message.
    private func searchHit(for message: MessageView, matches: [Range<Int>], query: String) -> SearchHit {
        let text = TextRun.plainText(of: message.message, limit: SearchExcerpt.searchedScalars)
        let shown = text == message.message ? matches : SearchQuery(query)?.findRanges(in: text) ?? []
        let excerpt = SearchExcerpt(of: text, matches: shown)
        return SearchHit(
            key: message.key, messageId: message.messageId,
            title: list[message.key]?.heading ?? localized("Conversation"),
            sender: message.senderName(ownAdminID: staff.ownAdminID(in: message.account)),
            excerpt: excerpt.text, time: formatter.shortTimeText(for: message.createdAt),
            account: distinguishingTitle(of: message.account),
            matches: excerpt.matches)
    }

    /// Returns the beginning of the newest message, on one line and without markup characters.
    private func lastMessagePreview(of view: ConversationView) -> String {
        plainLine(TextRun.plainText(of: view.lastMessage ?? "", limit: 1000), limit: 160)
    }

    private func urgentPriorityLabel(of view: ConversationView) -> String? {
        guard let priority = view.priority, ["high", "urgent"].contains(priority) else { return nil }
        return ConversationField.priority.label(for: priority)
    }

    /// Returns the text "Waiting since" with the time of the newest message; `nil` if the app's user is
    /// not waiting for a reply, or if the conversation is snoozed. The row does not show a duration, because a
    /// duration would have to be updated every minute.
    private func waitingSinceText(of view: ConversationView) -> String? {
        guard InboxView.waitsForSupport(status: view.status, lastSender: view.lastSender),
            view.snoozedUntil == nil, let time = view.lastMessageAt
        else {
            return nil
        }
        return localized("Waiting since {time}", ["time": formatter.relativeTimeText(for: time)])
    }

    /// The views for support staff. Each title contains the number of conversations. The list is empty if no
    /// staff account exists.
    public var inboxViews: [(view: InboxView, title: String)] {
        guard !staffAccounts.isEmpty else { return [] }
        return InboxView.allCases.map { view in
            let parts: KeyValuePairs = ["view": view.title, "count": "\(list.conversationCount(in: view))"]
            return (view, localized("{view} ({count})", parts))
        }
    }

    /// The conversations that match the filter, newest first.
    public var rowKeys: [ConversationKey] { list.visibleKeys }

    /// Returns a row; `nil` if the conversation does not exist.
    public func row(for key: ConversationKey) -> ConversationRow? {
        guard let view = list[key] else { return nil }
        return ConversationRow(
            key: key, title: view.heading, lastMessage: lastMessagePreview(of: view),
            time: view.sortedAt.map { formatter.shortTimeText(for: $0) } ?? "", unread: view.unreadCount ?? 0,
            tags: view.tagLabels,
            account: distinguishingTitle(of: view.account), app: view.appName,
            mark: outgoing.rowMark(for: key),
            hasEnded: view.hasEnded,
            draft: key == list.chosen ? nil : drafts.preview(for: key), isChosen: key == list.chosen,
            priority: isStaffAccount(key.account) ? urgentPriorityLabel(of: view) : nil,
            waiting: isStaffAccount(key.account) ? waitingSinceText(of: view) : nil,
            snoozed: view.snoozedUntil.map {
                localized("Snoozed until {time}", ["time": self.formatter.relativeTimeText(for: $0)])
            },
            isMuted: view.muted == true, isMarkedUnread: view.markedUnread == true)
    }
}

// MARK: - The thread

extension InboxState {
    public var lines: [ThreadLine] { thread.lines }

    public var threadView: ThreadView {
        if let account = accountToSignIn { return .signedOut(account) }
        return switch thread.phase {
        case .none: .none
        case .loading: .loading(title: list.chosen.flatMap { list[$0]?.heading })
        case .notFound: .notFound
        case .ambiguous(let accounts): .ambiguous(accounts)
        case .failed(let sentence): .failed(sentence)
        case .messages: thread.conversation.map { .messages(threadDetails(of: $0)) } ?? .none
        }
    }

    /// The account to which the user must sign in: the account of the open thread; if no thread is open, the
    /// first signed-out account.
    var accountToSignIn: String? {
        let out = signedOutAccounts
        guard let key = thread.key ?? chosen else { return out.sorted().first }
        return out.contains(key.account) ? key.account : nil
    }

    private func threadDetails(of view: ConversationView) -> ThreadDetails {
        let account = distinguishingTitle(of: view.account)
        let app = view.appName.map { plainLine($0, limit: 80) }
        // The title may consist of the names of the app and the account, as in “Notes (work)”.
        let titleNamesApp = app.map { account == $0 || account?.hasPrefix($0 + " (") == true } ?? false
        return ThreadDetails(
            key: view.key, title: view.heading,
            status: statusLabel(view.status, for: role(in: view.account)), account: account,
            app: titleNamesApp ? nil : app, tags: view.tagLabels, hasEarlier: thread.messages.hasEarlier,
            isLoadingEarlier: thread.isLoadingEarlier, hasLater: thread.messages.hasLater,
            newMessagesBelow: thread.newMessagesBelow,
            isTruncated: thread.isTruncated && thread.messages.shown.lowerBound == 0,
            composer: composer(for: view), mode: isStaffAccount(view.account) ? thread.mode : nil,
            recipient: plainLine(view.userName ?? "", limit: 80), staff: staffTools,
            isMuted: view.muted == true, isSnoozed: view.snoozedUntil != nil, hasEnded: view.hasEnded)
    }

    private func composer(for view: ConversationView) -> ComposerState {
        // A conversation that has ended accepts no replies, but support staff can still add notes.
        if view.hasEnded, !thread.reopens, thread.mode == .reply {
            return .ended(messageForEndedConversation(withStatus: view.status))
        }
        return .box(
            text: drafts[DraftKey(view.key, thread.mode)], revision: drafts.revision, canSend: canSend,
            problem: composerProblem)
    }

    /// The loaded messages of the open thread as plain text, for export to a file; `nil` if no messages are
    /// loaded.
    public var threadText: String? {
        guard thread.phase == .messages, let view = thread.conversation else { return nil }
        return InboxModel.threadText(
            title: view.heading, messages: thread.messages.all, ownAdminID: thread.ownAdminID,
            formatter: formatter)
    }

    /// Returns the text of a line, for the clipboard; `nil` if the line is not a message.
    public func text(ofLine id: String) -> String? {
        guard let line = thread.lines.first(where: { $0.id == id }) else { return nil }
        switch line.content {
        case .bubble(let bubble): return bubble.text
        case .system(let words, _): return words
        case .day, .unread: return nil
        }
    }
}

// MARK: - The outbox

/// An outbox item that is queued or failed.
public struct OutboxRow: Hashable, Sendable, Identifiable {
    public var id: String
    /// The title of the conversation, or a description if the item creates a conversation.
    public var title: String
    public var key: ConversationKey?
    public var isNote = false
    public var text: String
    public var time: String
    public var deliveryState: DeliveryState
    /// The account's title; `nil` if there is only one account.
    public var account: String?
}

extension InboxState {
    private func title(of item: OutgoingItem) -> String {
        switch item.kind {
        case .newResponse: localized("New canned response")
        case .signOut: localized("Sign-In Server")
        default: item.key.flatMap { list[$0]?.heading } ?? localized("New conversation")
        }
    }

    /// The outbox items, oldest first.
    public var outbox: [OutboxRow] {
        outgoing.entries.filter { $0.deliveryState != .sent }.map { item in
            let text = item.text.isEmpty ? OutgoingItem.label(for: item.kind) : item.text
            return OutboxRow(
                id: item.id, title: title(of: item), key: item.key, isNote: item.kind == .note,
                text: plainLine(text, limit: 300), time: self.formatter.shortTimeText(for: item.writtenAt),
                deliveryState: item.deliveryState,
                account: item.account.flatMap { distinguishingTitle(of: $0) })
        }
    }
}

extension AccountView {
    fileprivate var isConnecting: Bool {
        switch state {
        case .starting, .connecting, .unregistered: true
        case .connected, .offline, .stopped: false
        }
    }
}
