public import CutieAPI

/// A message as the store keeps it.
public struct MessageRecord: Hashable, Sendable {
    public let account: AccountID
    public let message: Message
    /// The log's sequence it came with.
    public let sequence: Int64
    public let stage: Stage
    /// It waits to be announced.
    public let pending: Bool

    public init(account: AccountID, message: Message, sequence: Int64, stage: Stage, pending: Bool) {
        self.account = account
        self.message = message
        self.sequence = sequence
        self.stage = stage
        self.pending = pending
    }
}

extension MessageRecord {
    /// Of the table `message` under the name m.
    static let columns = """
        m.account, m.sequence, m.stage, m.pending, m.id, m.conversation, m.sender_type, m.sender_id, \
        m.sender_name, m.sender_avatar_url, m.text, m.type, m.created_at
        """

    init(_ row: inout ColumnReader) {
        account = row.account()
        sequence = row.int64()
        stage = Stage(code: row.int64())
        pending = row.flag()
        message = Message(
            id: row.id(), conversation: row.id(), senderType: SenderType(row.text()),
            senderID: row.optionalText(), senderName: row.optionalText(),
            senderAvatarURL: row.optionalText(), text: row.text(), type: row.text(), createdAt: row.time())
    }
}
