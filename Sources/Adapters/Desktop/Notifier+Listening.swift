import CNotify

/// libnotify's callbacks, which come on the executor's thread.
extension Notifier {
    /// Holds while the notifier does, which takes its pop-ups with it.
    var listener: cnotify_listener {
        cnotify_listener(
            context: Unmanaged.passUnretained(self).toOpaque(),
            acted: { context, id, action, token in
                guard let context, let action else { return }
                let name = String(cString: action), token = token.map { String(cString: $0) }
                Notifier.known(as: context).assumeIsolated { $0.acted(id, name, token) }
            },
            closed: { context, id, reason in
                guard let context else { return }
                let reason = CloseReason(rawValue: reason) ?? .undefined
                Notifier.known(as: context).assumeIsolated { $0.closed(id, reason) }
            })
    }

    static func known(as context: UnsafeMutableRawPointer) -> Notifier {
        Unmanaged.fromOpaque(context).takeUnretainedValue()
    }
}
