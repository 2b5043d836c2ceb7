import Desktop

/// Who shows pop-ups that are about no conversation. Each knows the ids of its own and no others.
protocol PopupOwner: AnyObject {
    /// Returns what is left to do, which may take its time; nil: the pop-up is not one of its own.
    func act(_ action: String, on id: UInt32) throws -> (@MainActor @Sendable () async -> Void)?
    func closed(_ id: UInt32, because reason: CloseReason) throws
    /// The notification server went, and all pop-ups with it.
    func serverLost()
}
