import ControlAPI
public import ControlClient
import FoundationEssentials
import Glibc
import Gtk
public import InboxView
import Threads

/// Runs what `InboxState` decides: what happens goes in, calls to the daemon come out, and whoever shows
/// something of it is told when it changed.
public final class Conductor {
    public private(set) var state = InboxState(calendar: .local)
    public let daemon: DaemonClient
    /// The window, which does what is to be done on the screen.
    weak var stage: (any Stage)?
    private var viewers: [WeakViewer] = []
    private var waiting: [Input] = []
    private var isBusy = false
    private var rendering: Timer?
    /// Tells the daemon what is before the person's eyes, for as long as it runs.
    private var attending: Task<Void, Never>?
    private let drafts: DraftFile
    private let starter: DaemonStarter
    private let surroundings: [String: String]

    private struct WeakViewer { weak var viewer: (any Viewer)? }

    init(daemon: DaemonClient, environment: [String: String]) {
        self.daemon = daemon
        surroundings = environment
        drafts = DraftFile(environment: environment)
        starter = DaemonStarter(environment: environment)
    }

    /// Says that something happened.
    public func send(_ input: Input) {
        // A widget that is changed may tell of it at once: its input comes after all that is being done.
        waiting.append(input)
        guard !isBusy else { return }
        isBusy = true
        while !waiting.isEmpty {
            for action in state.next(waiting.removeFirst(), now: Self.now) { perform(action) }
        }
        isBusy = false
        renderSoon()
    }

    /// Tells `viewer` of each change, once before the next frame, for as long as it lives; first at once.
    public func add(_ viewer: any Viewer) {
        viewers.removeAll { $0.viewer == nil }
        viewers.append(WeakViewer(viewer: viewer))
        viewer.render(state)
    }

    /// Begins to follow the daemon's log.
    func start() {
        send(.configured(ConfiguredAccounts(environment: surroundings).isConfigured))
        if let kept = drafts.read() { send(.drafts(kept)) }
        Task { [unowned self] in await follow() }
    }

    /// What is to be kept is kept.
    func end() { drafts.flush() }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private func renderSoon() {
        guard rendering?.isPending != true else { return }
        rendering = Timer(beforeNextFrame: { [unowned self] in
            for entry in viewers { entry.viewer?.render(state) }
        })
    }

    private func perform(_ action: Action) {
        switch action {
        case .call(let call): ask(call)
        case .startDaemon: startDaemon()
        case .keepDraft(let key, let text): drafts.keep(text, for: key)
        case .deviceFacts(let account):
            let facts = ConfiguredAccounts(environment: surroundings).deviceFacts(of: account)
            waiting.append(.form(.deviceFacts(facts)))
        case .attend(let key): attend(key)
        case .rows, .row, .lines, .scroll, .scrollToEnd, .present, .tell, .announce:
            stage?.perform(action)
        }
    }

    private func attend(_ key: ConversationKey?) {
        attending?.cancel()
        attending = key.map { key in
            Task { [daemon] in
                let attend = Attend(conversation: key.conversation, account: key.account)
                // Without it a reply to what is in front pops up, too: nothing to tell the person.
                try? await daemon.impatient.follow(attend) { _ in .goOn }
            }
        }
    }

    private func startDaemon() {
        Task { [weak self, starter] in
            if let sentence = await starter.start() { self?.send(.startFailed(sentence)) }
        }
    }

    private func ask(_ call: Call) {
        Task { [weak self, daemon] in
            let outcome = await daemon.outcome(of: call)
            self?.send(outcome)
        }
    }
}

/// Something that shows a part of the state.
public protocol Viewer: AnyObject {
    /// Compares with what it shows, and changes what differs.
    func render(_ state: InboxState)
}

/// Where actions that are no calls are done.
protocol Stage: AnyObject {
    func perform(_ action: Action)
}

// MARK: - The log

extension Conductor {
    private static let retryPause = Duration.seconds(10)

    private func follow() async {
        while !Task.isCancelled {
            do {
                try await daemon.watch { [weak self] update in
                    guard let self else { return .enough }
                    switch update {
                    case .entry(let answer): send(.entry(answer.reply))
                    case .gone(let gone): send(.gone(Absence(gone.cause)))
                    }
                    return .goOn
                }
                return
            } catch is CancellationError {
                return
            } catch {
                send(.gone(Absence(error)))
            }
            // Somebody may have mended it: restarted an old daemon, or made its directory.
            try? await EventLoop.shared.sleep(for: Self.retryPause)
        }
    }
}
