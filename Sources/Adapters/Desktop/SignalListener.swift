import CNotify
import NotificationPolicy

/// A listener that passes notification signals from D-Bus to a notifier. The listener must be created, used
/// and released on the GLib thread.
final class SignalListener {
    /// The maximum size in bytes of a reply that the user typed. No API accepts a larger message.
    static let limit = 2 << 20
    private let signals: OpaquePointer

    /// Creates a listener for `notifier`, which must outlive the listener; `nil` if no server has responded
    /// yet.
    init?(for notifier: Notifier) {
        let listener = cnotify_listener(
            context: Unmanaged.passUnretained(notifier).toOpaque(),
            acted: { context, id, action, token in
                guard let context, let action else { return }
                let name = String(cString: action), token = token.map { String(cString: $0) }
                SignalListener.notifier(from: context).assumeIsolated {
                    $0.handleAction(ofNotification: id, named: name, activationToken: token)
                }
            },
            closed: { context, id, reason in
                guard let context else { return }
                let reason = CloseReason(rawValue: reason) ?? .undefined
                SignalListener.notifier(from: context).assumeIsolated {
                    $0.handleClose(ofNotification: id, reason: reason)
                }
            },
            replied: { context, id, text, size in
                guard let context, let text else { return }
                let bytes = UnsafeRawBufferPointer(start: text, count: min(size, SignalListener.limit))
                let reply = String(decoding: bytes, as: UTF8.self)
                SignalListener.notifier(from: context).assumeIsolated {
                    $0.handleReply(toNotification: id, text: reply)
                }
            })
        guard let signals = cnotify_signals_new(listener) else { return nil }
        self.signals = signals
    }

    deinit { cnotify_signals_free(signals) }

    fileprivate static func notifier(from context: UnsafeMutableRawPointer) -> Notifier {
        Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
}
