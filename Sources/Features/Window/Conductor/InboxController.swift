import ControlAPI
public import ControlClient
import FoundationEssentials
import Glibc
import Gtk
public import InboxModel
import Runtime

/// Drives `InboxState`: passes inputs to the state, performs the resulting actions, and notifies the viewers
/// of changes.
public final class InboxController {
    public private(set) var state = InboxState(calendar: .local)
    public let daemon: DaemonClient
    /// The window, which performs the actions that affect the display.
    weak var presenter: (any WindowPresenter)?
    private var viewers: [WeakViewer] = []
    private var pendingInputs: [Input] = []
    private var isBusy = false
    private var renderTimer: Timer?
    /// The task of the call that reports the visible conversation to the daemon; `nil` if no conversation is
    /// visible. The daemon considers the conversation visible until the task ends.
    private var attendTask: Task<Void, Never>?
    private let drafts: DraftFile
    private let starter: DaemonStarter
    private let context: [String: String]

    private struct WeakViewer { weak var viewer: (any Viewer)? }

    init(daemon: DaemonClient, environment: [String: String]) {
        self.daemon = daemon
        context = environment
        drafts = DraftFile(environment: environment)
        starter = DaemonStarter(environment: environment)
    }

    /// Applies an input, performs the resulting actions, and schedules an update of the views.
    public func send(_ input: Input) {
        // A changed widget may send an input while an action is performed, so inputs are queued instead of
        // nested.
        pendingInputs.append(input)
        guard !isBusy else { return }
        isBusy = true
        while !pendingInputs.isEmpty {
            for action in state.handle(pendingInputs.removeFirst(), now: Self.now) { perform(action) }
        }
        isBusy = false
        scheduleRender()
    }

    /// Adds a view and renders it. After a change, the view is rendered before the next frame. The
    /// reference is weak.
    public func addView(_ view: any Viewer) {
        viewers.removeAll { $0.viewer == nil }
        viewers.append(WeakViewer(viewer: view))
        view.render(state)
    }

    /// Loads the configuration and the drafts, and starts to watch the daemon.
    func start() {
        let configured = WindowConfiguration(environment: context)
        send(.configured(configured.isConfigured))
        send(.enterSends(configured.enterSends))
        if let kept = drafts.read() { send(.drafts(kept)) }
        Task { [unowned self] in await followDaemon() }
    }

    /// Writes unsaved drafts immediately, because the program is about to exit.
    func flushDrafts() { drafts.flush() }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private func scheduleRender() {
        guard renderTimer?.isPending != true else { return }
        renderTimer = Timer(beforeNextFrame: { [unowned self] in
            for entry in viewers { entry.viewer?.render(state) }
        })
    }

    private func perform(_ action: Action) {
        switch action {
        case .call(let call): startCall(call)
        case .startDaemon: startDaemon()
        case .saveDraft(let key, let text): drafts.save(text, for: key)
        case .deviceFacts(let account):
            let facts = WindowConfiguration(environment: context).collectDeviceFacts(for: account)
            pendingInputs.append(.form(.deviceFacts(facts)))
        case .attend(let key): updateNotificationSuppression(for: key)
        case .rows, .row, .lines, .scroll, .scrollToEnd, .presentWindow, .focusComposer, .closeSearch,
            .showToast,
            .offerUndo, .askToSend, .announceToScreenReader:
            presenter?.perform(action)
        }
    }

    private func updateNotificationSuppression(for key: ConversationKey?) {
        attendTask?.cancel()
        attendTask = key.map { key in
            Task { [daemon] in
                let attend = Attend(conversation: key.conversation, account: key.account)
                // Failures are ignored: the only effect is that a reply in the visible conversation also
                // causes a notification.
                try? await daemon.withoutRetries.followReplies(to: attend) { _ in .proceed }
            }
        }
    }

    private func startDaemon() {
        Task { [weak self, starter] in
            if let sentence = await starter.start() { self?.send(.startFailed(sentence)) }
        }
    }

    private func startCall(_ call: Call) {
        Task { [weak self, daemon] in
            let outcome = await daemon.performCall(call)
            self?.send(outcome)
        }
    }
}

/// A view that shows a part of the state.
public protocol Viewer: AnyObject {
    /// Updates the parts of the view that differ from `state`.
    func render(_ state: InboxState)
}

/// The object that performs the actions that affect the display.
protocol WindowPresenter: AnyObject {
    func perform(_ action: Action)
}

// MARK: - Watching the log

extension InboxController {
    private static let retryPause = Duration.seconds(10)

    private func followDaemon() async {
        while !Task.isCancelled {
            do {
                try await daemon.watch { [weak self] update in
                    guard let self else { return .stop }
                    switch update {
                    case .entry(let answer): send(.entry(answer.reply))
                    case .disconnected(let gone): send(.disconnected(DisconnectReason(gone.cause)))
                    }
                    return .proceed
                }
                return
            } catch is CancellationError {
                return
            } catch {
                send(.disconnected(DisconnectReason(error)))
            }
            // Retry, because the user may fix the problem, for example by restarting an old daemon.
            try? await EventLoop.shared.sleep(for: Self.retryPause)
        }
    }
}
