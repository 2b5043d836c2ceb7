import CTray
import Glibc
import Runtime

/// The thread that runs GLib's default main context and all calls of the tray.
final class TrayThread: Sendable {
    private let waiting = Locked<[@Sendable () -> Void]>([])

    init() { startThread(named: "tray") { self.run() } }

    /// Runs `call` on the thread, after all previous calls.
    func perform(_ call: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(call) }
        ctray_wake()
    }

    private func run() -> Never {
        while true {
            for call in waiting.withLock({ exchange(&$0, with: []) }) { call() }
            // Block only if no call was added while the previous calls ran.
            ctray_iterate(waiting.withLock { $0.isEmpty })
        }
    }
}
