/// What happened to a pop-up that this process has shown.
public enum PopupEvent: Sendable, Hashable {
    /// `activationToken` lets the program that is opened take the focus; many servers give none.
    case action(id: UInt32, name: String, activationToken: String?)
    /// The person typed this into the pop-up. May come after its end.
    case reply(id: UInt32, text: String)
    /// The last event of this id, but for a reply.
    case closed(id: UInt32, reason: CloseReason)
}

/// Why a pop-up went, as the notification specification tells reasons apart.
public enum CloseReason: Int32, Sendable, Hashable {
    case expired = 1
    case dismissed = 2
    case byCall = 3
    case undefined = 4
}
