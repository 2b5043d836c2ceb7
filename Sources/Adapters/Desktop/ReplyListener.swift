import CNotify

/// Hears what is typed into pop-ups, on servers that have a field for it. Made, used and freed on the GLib
/// thread.
final class ReplyListener {
    /// Bytes of a reply that are taken; more than any server of conversations takes.
    static let limit = 2 << 20
    private let replies: OpaquePointer

    /// `notifier` must outlive it.
    init(for notifier: Notifier) throws(NotifierError) {
        var failure = cnotify_failure()
        let heard: cnotify_replied = { context, id, text, size in
            guard let context, let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: min(size, ReplyListener.limit))
            let words = String(decoding: bytes, as: UTF8.self)
            Notifier.known(as: context).assumeIsolated { $0.replied(id, words) }
        }
        let context = Unmanaged.passUnretained(notifier).toOpaque()
        guard let replies = cnotify_replies_new(heard, context, &failure) else {
            throw NotifierError(failure)
        }
        self.replies = replies
    }

    deinit { cnotify_replies_free(replies) }
}
