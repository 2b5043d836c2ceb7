import CNotify

extension NotificationServer {
    /// Asks the server of the session. On the GLib thread only.
    static func asked(by application: String) throws(NotifierError) -> NotificationServer {
        cnotify_start(application)
        var told = cnotify_server(), failure = cnotify_failure()
        guard cnotify_server_ask(&told, &failure) else { throw NotifierError(failure) }
        defer { cnotify_server_free(&told) }
        return NotificationServer(told)
    }

    private init(_ told: cnotify_server) {
        func text(_ field: UnsafeMutablePointer<CChar>?) -> String {
            field.map { PlainText.line(String(cString: $0), limit: 200) } ?? ""
        }
        let words = told.capabilities.map { String(cString: $0) } ?? ""
        self.init(
            name: text(told.name), vendor: text(told.vendor), version: text(told.version),
            specVersion: text(told.specification),
            capabilities: Set(words.split(separator: "\n").prefix(64).map(String.init)))
    }
}
