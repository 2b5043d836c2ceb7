import CutieAPI

/// What an admin writes.
struct AdminMessage: Codable {
    let text: String
    let isNote: Bool?

    enum CodingKeys: String, CodingKey {
        case text = "message"
        case isNote = "internal_note"
    }
}

/// Of the sandbox alone.
struct MessageBatch: Decodable {
    let messages: [Item]

    struct Item: Decodable {
        let text: String
        /// `admin` where it is missing, or `system`.
        let senderType: SenderType?
        let senderName: String?
        let senderAvatarURL: String?
        let isNote: Bool?

        enum CodingKeys: String, CodingKey {
            case text = "message"
            case senderType = "sender_type"
            case senderName = "sender_name"
            case senderAvatarURL = "sender_avatar_url"
            case isNote = "internal_note"
        }
    }
}

extension Draft {
    /// The one admin there is.
    static func reply(_ text: String, isNote: Bool = false) -> Draft {
        Draft(
            text: text, sender: .admin, senderID: "admin_sandbox", senderName: "Support", isNote: isNote)
    }

    init(_ call: Call, by viewer: Viewer) throws(Refusal) {
        switch viewer {
        case .admin:
            let message: AdminMessage = try call.decode()
            self = .reply(message.text, isNote: message.isNote ?? false)
        case .device(let caller):
            let message: NewMessage = try call.decode()
            self.init(
                text: message.text, sender: .user, senderID: caller.device.rawValue,
                senderName: message.userName)
        }
        try text.checkMessage("message")
    }

    init(_ item: MessageBatch.Item) throws(Refusal) {
        self = .reply(item.text, isNote: item.isNote ?? false)
        sender = item.senderType ?? .admin
        guard sender == .admin || sender == .system else {
            throw Refusal(.unprocessable, "sender_type must be admin or system")
        }
        if sender == .system { (senderID, senderName) = (nil, nil) }
        senderName = item.senderName ?? senderName
        senderAvatarURL = item.senderAvatarURL
        try text.checkMessage("message")
        guard text.utf8.count <= 1 << 20 else {
            throw Refusal(.contentTooLarge, "a message is at most 1 MiB: an event must stay below 8")
        }
    }
}
