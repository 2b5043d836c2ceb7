import ControlClient
import Gtk
import InboxModel

/// Drives the state machine of a page: performs its calls, reads its streams while the page exists, and
/// updates the view after each input.
final class PageController<Machine: PageMachine> {
    private(set) var state: Machine
    private let context: PageContext
    private let ask: PerformCall
    private let follow: Follow?
    /// Updates the parts of the view that differ from the state.
    var show: () -> Void = {}
    private var followTask: Task<Void, Never>?

    typealias PerformCall = @Sendable (DaemonClient, Machine.Call) async throws -> Machine.CallReply
    /// Reads a stream and passes its elements to the state machine.
    typealias Follow = (Machine.Stream, DaemonClient, PageController) async throws -> Void

    /// Returns the input that reports the failure of a stream; `nil` ignores the failure.
    private let ended: (CallFailure) -> Machine.Input?

    init(
        _ machine: Machine, context: PageContext, ask: @escaping PerformCall, follow: Follow? = nil,
        ended: @escaping (CallFailure) -> Machine.Input? = { _ in nil }
    ) {
        (state, self.context, self.ask) = (machine, context, ask)
        (self.follow, self.ended) = (follow, ended)
    }

    /// Cancels the stream when the page is closed.
    func close() { followTask?.cancel() }

    func send(_ input: Machine.Input) {
        for action in state.handle(input) {
            switch action {
            case .call(let call): startCall(call)
            case .follow(let stream): startStream(stream)
            case .stopFollowing: followTask?.cancel()
            case .showToast(let sentence): context.showToast(sentence)
            }
        }
        show()
    }

    private func startCall(_ call: Machine.Call) {
        let daemon = context.controller.daemon
        Task { [weak self, ask] in
            do {
                let answer = try await ask(daemon, call)
                self?.send(.answered(call, answer))
            } catch {
                self?.send(.failed(call, CallFailure(error)))
            }
        }
    }

    private func startStream(_ stream: Machine.Stream) {
        followTask?.cancel()
        guard let follow else { return }
        let daemon = context.controller.daemon
        followTask = Task { [weak self] in
            do {
                guard let self else { return }
                try await follow(stream, daemon, self)
            } catch {
                guard !Task.isCancelled, let self, let input = ended(CallFailure(error)) else { return }
                send(input)
            }
        }
    }
}
