public import CutieAPI

/// Something the person sends that is not known to have arrived.
public struct OutboxRecord: Hashable, Sendable {
    public enum State: String, Sendable {
        case waiting, sending
        /// It needs a person; what comes after it in its conversation does not wait for it.
        case failed
    }

    /// A UUID.
    public let id: String
    public let account: AccountID
    public var conversation: Conversation.ID?
    public let kind: String
    /// JSON.
    public var payload: String
    public var idempotencyKey: String
    public var state: State
    public var attempts: Int
    /// An attempt may have arrived although its answer was lost.
    public var isAmbiguous: Bool
    /// Of a mark-read: the newest message that it covers.
    public let readBound: Message.ID?
    public var error: String?
    /// Of a failed one: the person knows.
    public var isTold: Bool
    public let createdAt: Timestamp
    /// nil = at once.
    public var nextAttemptAt: Timestamp?
    /// The place in the order of sending, given by `enqueue`.
    public let order: Int64

    public init(
        id: String, account: AccountID, conversation: Conversation.ID?, kind: String, payload: String,
        idempotencyKey: String, state: State = .waiting, attempts: Int = 0, isAmbiguous: Bool = false,
        readBound: Message.ID? = nil, error: String? = nil, isTold: Bool = true,
        createdAt: Timestamp, nextAttemptAt: Timestamp? = nil, order: Int64 = 0
    ) {
        self.id = id
        self.account = account
        self.conversation = conversation
        self.kind = kind
        self.payload = payload
        self.idempotencyKey = idempotencyKey
        self.state = state
        self.attempts = attempts
        self.isAmbiguous = isAmbiguous
        self.readBound = readBound
        self.error = error
        self.isTold = isTold
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.order = order
    }
}

extension OutboxRecord {
    /// Of the table `outbox` under the name o.
    static let columns = """
        o.id, o.account, o.conversation, o.kind, o.payload, o.idempotency_key, o.state, o.attempts, \
        o.ambiguous, o.read_bound, o.error, o.told, o.created_at, o.next_attempt_at, o.place
        """

    init(_ row: inout ColumnReader) {
        id = row.text()
        account = row.account()
        conversation = row.optionalID()
        kind = row.text()
        payload = row.text()
        idempotencyKey = row.text()
        state = State(rawValue: row.text()) ?? .failed
        attempts = row.int()
        isAmbiguous = row.flag()
        readBound = row.optionalID()
        error = row.optionalText()
        isTold = row.flag()
        createdAt = row.time()
        nextAttemptAt = row.optionalTime()
        order = row.int64()
    }
}
