import Libadwaita

/// A one-shot timer on the main loop. Releasing the timer cancels it.
@MainActor public final class Timer {
    private var source: guint = 0
    private var body: (() -> Void)?

    public init(after duration: Duration, _ body: @escaping () -> Void) {
        self.body = body
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        source = g_timeout_add(guint(clamping: milliseconds), handleTimer, pointer)
    }

    /// Creates a timer that fires when the main loop is idle. By then, GTK has computed the layout.
    public init(whenIdle body: @escaping () -> Void) {
        self.body = body
        source = g_idle_add_full(G_PRIORITY_LOW, handleTimer, pointer, nil)
    }

    /// Creates a timer that fires before GTK draws the next frame.
    public init(beforeNextFrame body: @escaping () -> Void) {
        self.body = body
        source = g_idle_add_full(G_PRIORITY_HIGH_IDLE, handleTimer, pointer, nil)
    }

    isolated deinit { cancel() }

    public var isPending: Bool { body != nil }

    public func cancel() {
        if source != 0 { g_source_remove(source) }
        source = 0
        body = nil
    }

    private var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    fileprivate func runBody() {
        let body = body
        source = 0
        self.body = nil
        body?()
    }
}

nonisolated private struct TimerPointer: @unchecked Sendable { let pointer: UnsafeMutableRawPointer? }

nonisolated private func handleTimer(_ pointer: UnsafeMutableRawPointer?) -> gboolean {
    let address = TimerPointer(pointer: pointer)
    MainActor.assumeIsolated {
        guard let pointer = address.pointer else { return }
        // The pointer is valid, because `deinit` removes the source before the timer is freed.
        Unmanaged<Timer>.fromOpaque(pointer).takeUnretainedValue().runBody()
    }
    return 0
}
