public import ControlAPI
import Localization

/// The state of the window, as a pure state machine: `handle` processes an input and returns actions.
/// The type
/// uses no socket, clock, task or widget. All times are Unix milliseconds.
public struct InboxState: Sendable {
    let calendar: LocalCalendar
    var now: Int64 = 0

    var daemon = DaemonPhase.connecting
    /// Whether the configuration contains an account; `nil` until the configuration is read.
    var isConfigured: Bool?
    var status: GetStatus.Reply?
    /// The pending questions in the user's language, oldest first.
    public internal(set) var questions: [QuestionView] = []
    /// Incremented when the permissions of apps may have changed.
    public private(set) var accessRevision = 0
    /// A counter that increases when the settings may have changed, so that the settings page reads them again.
    public private(set) var settingsRevision = 0
    /// The times at which accounts lost their connections, by account. Contains only known times.
    var offlineSince: [String: Int64] = [:]

    /// The apps of all conversations that the window has loaded since its start.
    var knownApps: Set<AppOfAccount> = []

    struct AppOfAccount: Hashable, Sendable { var account, app: String }

    var list = ConversationList()
    /// Whether the daemon omitted older conversations from the list; `nil` until the list is loaded.
    var isListTruncated: Bool?
    var listFailure: String?
    var search = SearchState()
    var thread = ThreadState()
    var outgoing = OutgoingItems()
    var staff = StaffState()
    var form = FormState()
    var drafts = Drafts()

    /// Whether Enter sends the text in the composer. Ctrl+Enter always sends the text.
    public private(set) var enterSends = false

    private(set) var isFocused = false
    private(set) var showsThread = false
    var attended: ConversationKey?
    /// The calls in flight that read data. The value is `true` if the call must be repeated after it returns.
    private var fetches: [Call: Bool] = [:]

    public init(calendar: LocalCalendar) { self.calendar = calendar }

    /// Applies one input and returns the resulting actions.
    public mutating func handle(_ input: Input, now: Int64) -> [Action] {
        self.now = now
        if input.permitsRetry { thread.retryMarkingRead() }
        let actions = handle(input)
        return actions + reportVisibleConversation() + markRead()
    }

    mutating func rewriteThreadLines() -> [Action] {
        thread.ownAdminID = thread.key.flatMap { staff.ownAdminID(in: $0.account) }
        thread.query = search.query
        return thread.rewriteLines(outgoing: threadOutgoing, formatter: formatter)
    }

    var formatter: TimeFormatter { TimeFormatter(now: now, calendar: calendar) }

    private mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .entry(let entry): return handleLogEntry(entry)
        case .disconnected(let reason): return handleDisconnect(reason: reason)
        case .answered(let call, let answer): return finishFetch(call) + handleReply(answer, to: call)
        case .failed(let call, let failure): return finishFetch(call) + handleFailure(failure, of: call)
        case .startFailed(let sentence):
            daemon = .absent(sentence)
            return []
        case .daemonStarted:
            daemon.handleStart(now: now)
            return []
        case .configured(let isConfigured):
            self.isConfigured = isConfigured
            // Request the list, because the configuration may contain a new account, and the daemon sends no
            // event before the connection of the account changes.
            return daemon == .ready ? refresh() + startFetch(.list) : []
        case .startDaemon:
            daemon = .starting(since: now)
            return [.startDaemon]
        case .answer(let id, let allow, let services):
            return [.call(.answer(questionId: id, allow: allow, services: services))]
        case .pause(let seconds, let hidesText):
            return [.call(.pause(seconds: seconds, hidesText: hidesText))]
        case .resume: return [.call(.resume)]
        case .turnOnNotifications: return [.call(.turnOnNotifications)]
        case .reconnect: return [.call(.reconnect)]
        case .staff(let input): return handleStaffInput(input)
        case .form(.open) where !canStartConversation:
            return [.showToast(localized("None of your accounts can send feedback. Set up an app first."))]
        case .form(let input): return form.handle(input, accounts: writingAccounts, now: now)
        default: return handleWindowInput(input)
        }
    }

    private mutating func handleWindowInput(_ input: Input) -> [Action] {
        switch input {
        case .window(let isFocused, let showsThread):
            (self.isFocused, self.showsThread) = (isFocused, showsThread)
            return []
        case .scrolled(let isAtEnd):
            thread.handleScroll(isAtEnd: isAtEnd)
            return []
        case .dayChanged: return list.reloadAllRows() + rewriteThreadLines()
        case .enterSends(let isOn):
            enterSends = isOn
            return []
        case .drafts(let kept):
            drafts.load(kept)
            return list.reloadAllRows()
        case .choose(let key): return select(key) + (key == nil ? [] : closeConversationSearch())
        case .selectNeighbor(let offset): return selectNeighbor(offset: offset)
        case .open(let id, let account, let message):
            return openConversation(id, account: account, messageID: message) + closeConversationSearch()
        case .search(let text): return search.updateQuery(text) + rewriteThreadLines()
        case .setSearchSelectsConversation(let isOn):
            return search.setConversationSearchActive(isOn) + rewriteThreadLines()
        case .openFirstMatch(let text):
            _ = search.updateQuery(text)
            return firstMatch.map { select($0) + closeConversationSearch() } ?? []
        case .filter(let filter): return list.setFilter(filter)
        default: return handleThreadInput(input)
        }
    }
}

// MARK: - Selecting a conversation with the search field

extension InboxState {
    /// The first conversation that matches the text in the search field; `nil` if none matches.
    private var firstMatch: ConversationKey? {
        guard search.selectsConversation, case .results(let hits, _) = listView else { return nil }
        return hits.first?.key
    }

    /// Closes the search field after the user opened a conversation with it, and moves the focus to the
    /// composer.
    private mutating func closeConversationSearch() -> [Action] {
        search.selectsConversation
            ? search.setConversationSearchActive(false) + [.closeSearch, .focusComposer] : []
    }
}

// MARK: - Calls to the daemon

extension InboxState {
    /// Sends a call that reads data. If the same call is already in flight, repeats the call after the
    /// response, because the result of the call in flight may be outdated.
    mutating func startFetch(_ call: Call) -> [Action] {
        guard fetches[call] == nil else {
            fetches[call] = true
            return []
        }
        fetches[call] = false
        return [.call(call)]
    }

    private mutating func finishFetch(_ call: Call) -> [Action] {
        fetches.removeValue(forKey: call) == true ? startFetch(call) : []
    }

    /// Forgets the calls in flight, which receive no reply after the connection was lost.
    mutating func resetFetches() { fetches.removeAll() }

    func isFetching(_ call: Call) -> Bool { fetches[call] != nil }

    /// Requests the parts of the state that the event log does not contain.
    mutating func refresh() -> [Action] {
        invalidateAccessPage()
        settingsRevision += 1
        return startFetch(.status) + startFetch(.questions) + startFetch(.outbox)
    }

    mutating func invalidateAccessPage() { accessRevision += 1 }
}

// MARK: - The visible thread

extension InboxState {
    /// The thread that the user sees. `nil` if no thread is visible, if the daemon is not connected, or if
    /// the user is signed out.
    var conversationInFront: ConversationKey? {
        isFocused && showsThread && daemon == .ready && thread.phase == .messages && accountToSignIn == nil
            ? thread.key : nil
    }

    private mutating func reportVisibleConversation() -> [Action] {
        guard conversationInFront != attended else { return [] }
        attended = conversationInFront
        return [.attend(attended)]
    }

    /// Marks the visible thread as read, if the window shows the end of the thread.
    private mutating func markRead() -> [Action] {
        guard let key = conversationInFront, thread.isAtEnd, !thread.messages.hasLater, !thread.isMarkedUnread
        else {
            return []
        }
        thread.closeUnreadGroup()
        guard let newest = thread.messages.newest?.messageId, newest != thread.readUpTo,
            (list[key] ?? thread.conversation)?.isUnread == true
        else { return [] }
        thread.beginMarkingRead(upToMessageID: newest)
        return [.call(.markRead(key, upTo: newest))]
    }
}

extension Input {
    /// Whether a failed call may succeed after this input: the daemon sent an event, or the user returned to
    /// the window or scrolled.
    fileprivate var permitsRetry: Bool {
        switch self {
        case .entry, .window, .scrolled: true
        default: false
        }
    }
}
