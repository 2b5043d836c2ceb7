import ControlAPI

/// What verbs that do something say when it is done. `new` and `reply` print the id alone, for scripts.
extension CreateConversation.Reply: Readable {
    func text(on page: Page) -> String { PlainText.line(conversationId ?? "queued") + "\n" }
}

extension SendMessage.Reply: Readable {
    func text(on page: Page) -> String { PlainText.line(messageId ?? "queued") + "\n" }
}

extension MarkRead.Reply: Readable {
    func text(on page: Page) -> String {
        let what = Phrases.count(conversations, "conversation", "conversations")
        return "\(what) marked read\(queued ? ", queued for the server" : "")\n"
    }
}

extension ClearBadge.Reply: Readable {
    func text(on page: Page) -> String {
        "badge \(Phrases.badge(badge))\(queued ? ", read is queued for the server" : "")\n"
    }
}

extension Pause.Reply: Readable {
    func text(on page: Page) -> String {
        let end = pausedUntil.map(page.moment) ?? "`cutied ctl resume`"
        return (`private` ? "pop-ups without names and text" : "paused") + " until \(end)\n"
    }
}

extension Resume.Reply: Readable {
    func text(on page: Page) -> String { "no pause any more\n" }
}

extension Notifications.Reply: Readable {
    func text(on page: Page) -> String { "pop-ups \(enabled ? "on" : "off")\n" }
}

extension RetryOutbox.Reply: Readable {
    func text(on page: Page) -> String {
        PlainText.line(queued ? "queued" : messageId ?? conversationId ?? "sent") + "\n"
    }
}

extension CancelOutbox.Reply: Readable {
    func text(on page: Page) -> String { "cancelled\n" }
}

extension Reload.Reply: Readable {
    func text(on page: Page) -> String { "config read\n" }
}

extension Reconnect.Reply: Readable {
    func text(on page: Page) -> String { "reconnecting\n" }
}
