import CNotify
import NotificationPolicy

extension NotificationServer {
    /// Queries the name and the capabilities of the notification server. Must be called on the GLib thread.
    static func fetch(forApplication application: String) throws(NotifierError) -> NotificationServer {
        cnotify_start(application)
        var answer = cnotify_server(), failure = cnotify_failure()
        guard cnotify_server_query(&answer, &failure) else { throw NotifierError(failure) }
        defer { cnotify_server_free(&answer) }
        return NotificationServer(answer)
    }

    private init(_ answer: cnotify_server) {
        func string(from field: UnsafeMutablePointer<CChar>?) -> String {
            field.map { PlainText.singleLine(String(cString: $0), limit: 200) } ?? ""
        }
        let name = string(from: answer.name)
        let announced = answer.capabilities.map { String(cString: $0) } ?? ""
        self.init(
            name: name.isEmpty ? "unnamed server" : name, vendor: string(from: answer.vendor),
            version: string(from: answer.version),
            specVersion: string(from: answer.specification),
            capabilities: Set(announced.split(separator: "\n").prefix(64).map(String.init)),
            problem: answer.problem.map { string(from: $0) }, isUsable: answer.is_usable)
    }
}
