import CTray
import Glibc
import Runtime

/// The thread for all tray calls, which also runs GLib's default main context.
final class TrayThread: Sendable {
    private let waiting = Locked<[@Sendable () -> Void]>([])

    init() { startThread(named: "tray") { self.run() } }

    /// Runs `call` on the tray thread, after all previously enqueued calls.
    func perform(_ call: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(call) }
        ctray_wake()
    }

    private func run() -> Never {
        while true {
            for call in waiting.withLock({ exchange(&$0, with: []) }) { call() }
            // Block only if no call was enqueued while the previous calls ran.
            ctray_iterate(waiting.withLock { $0.isEmpty })
        }
    }
}
