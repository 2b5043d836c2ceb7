import Desktop

/// What the announcer needs of a notification server.
protocol PopupServer: Sendable {
    func server() async -> NotificationServer?
    func show(_ popup: Popup, replacing id: UInt32?) async throws(NotifierError) -> UInt32
    func close(_ id: UInt32) async throws(NotifierError)
    /// Takes one that expired out of the server's list of what was shown, if it has one.
    func closeExpired(_ id: UInt32) async throws(NotifierError)
    /// No id given before holds any more.
    func forgetAll() async
}

extension Notifier: PopupServer {}
