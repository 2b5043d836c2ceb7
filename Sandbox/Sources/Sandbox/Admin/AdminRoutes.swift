import CutieAPI

/// The request body for a message from an admin.
struct AdminMessage: Codable {
    let text: String
    let isNote: Bool?

    enum CodingKeys: String, CodingKey {
        case text = "message"
        case isNote = "internal_note"
    }
}

/// The request body for several messages to one conversation. The hosted API does not support this request.
struct MessageBatch: Decodable {
    let messages: [Item]

    struct Item: Decodable {
        let text: String
        /// `admin` or `system`; `nil` means `admin`.
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
    static func makeReply(withText text: String, by staff: Staff, isNote: Bool = false) -> Draft {
        Draft(text: text, sender: .admin, senderID: staff.id, senderName: staff.name, isNote: isNote)
    }

    init(_ call: SandboxCall, by viewer: Viewer) throws(Refusal) {
        switch viewer {
        case .admin(let staff):
            let message: AdminMessage = try call.decodeBody()
            self = .makeReply(withText: message.text, by: staff, isNote: message.isNote ?? false)
        case .device(let caller):
            let message: NewMessage = try call.decodeBody()
            self.init(
                text: message.text, sender: .user, senderID: caller.device.rawValue,
                senderName: message.userName)
        }
        try text.requireNonBlank(fieldName: "message")
    }

    init(_ item: MessageBatch.Item) throws(Refusal) {
        self = .makeReply(withText: item.text, by: .unrestricted, isNote: item.isNote ?? false)
        sender = item.senderType ?? .admin
        guard sender == .admin || sender == .system else {
            throw Refusal(.unprocessable, "sender_type must be admin or system")
        }
        if sender == .system { (senderID, senderName) = (nil, nil) }
        senderName = item.senderName ?? senderName
        senderAvatarURL = item.senderAvatarURL
        try text.requireNonBlank(fieldName: "message")
        guard text.utf8.count <= 1 << 20 else {
            throw Refusal(
                .contentTooLarge, "a message must be at most 1 MiB, because an event is limited to 8 MiB")
        }
    }
}

/// The properties of a conversation that an admin can change.
struct ConversationPatch: Decodable {
    let status: Status?
    let priority: Priority?
    let category: CutieAPI.Category?

    /// Returns the database columns to change, with their new values; an empty dictionary if
    /// the request changes nothing.
    ///
    /// - Throws: `Refusal` if a value is unknown.
    func changedColumns() throws(Refusal) -> [String: String?] {
        try status?.validate()
        try priority?.validate()
        try category?.validate()
        let all = [
            "status": status?.rawValue, "priority": priority?.rawValue, "category": category?.rawValue,
        ]
        return all.filter { $0.value != nil }
    }
}
