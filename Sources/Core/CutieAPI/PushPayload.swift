/// The IDs and the text in the payload of a push notification. A payload belongs to Cuti-E if it contains
/// `conversation_id` or `cutie`.
public struct PushPayload: Hashable, Sendable {
    /// The maximum accepted size in bytes, far above the 4 KiB that push services allow.
    public static let sizeLimit = 64 << 10

    /// The conversation that changed; `nil` if the payload contains no conversation ID.
    public var conversation: Conversation.ID?
    public var message: Message.ID?
    /// The text that a phone would show; `nil` if the payload contains no text.
    public var text: String?

    /// The reason why a payload is ignored.
    public enum Problem: Error, Hashable {
        case tooLarge
        case notJSON
        /// The payload belongs to another app, or to another feature of the app.
        case notOurs
    }

    /// Parses a JSON payload. A field with the wrong type is treated as missing.
    public init(json: some Collection<UInt8>) throws(Problem) {
        guard json.count <= Self.sizeLimit else { throw .tooLarge }
        let content: Content
        do { content = try JSON.decode(Content.self, from: json) } catch {
            throw error.problem == .notJSON ? .notJSON : .notOurs
        }
        guard content.conversation != nil || content.hasMark else { throw .notOurs }
        conversation = content.conversation ?? content.mark?.conversation
        message = content.message ?? content.mark?.message
        text = content.alert
    }

    /// The known fields at the top level of the payload.
    private struct Content: Decodable {
        let conversation: Conversation.ID?
        let message: Message.ID?
        /// Whether `cutie` is present and not null. The type of `cutie` is not checked.
        let hasMark: Bool
        let mark: MessageReference?
        let alert: String?

        enum CodingKeys: String, CodingKey {
            case cutie, aps
            case conversation = "conversation_id"
            case message = "message_id"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            conversation = container.decodeValidID(forKey: .conversation)
            message = container.decodeValidID(forKey: .message)
            hasMark = container.contains(.cutie) && (try? container.decodeNil(forKey: .cutie)) == false
            mark = container.decodeIfReadable(.cutie)
            alert = (container.decodeIfReadable(.aps) as Apple?)?.alert
        }
    }

    /// The IDs in the object `cutie`.
    private struct MessageReference: Decodable {
        let conversation: Conversation.ID?
        let message: Message.ID?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Content.CodingKeys.self)
            conversation = container.decodeValidID(forKey: .conversation)
            message = container.decodeValidID(forKey: .message)
        }
    }

    /// Apple's `aps` object. `alert` is a string or an object with a `body`.
    private struct Apple: Decodable {
        let alert: String?

        enum CodingKeys: String, CodingKey {
            case alert, body
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let inner = try? container.nestedContainer(keyedBy: CodingKeys.self, forKey: .alert)
            alert = container.decodeIfReadable(.alert) ?? inner?.decodeIfReadable(.body)
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns an ID; `nil` if the ID is missing, too long, or contains spaces or control characters.
    fileprivate func decodeValidID<Subject>(forKey key: Key) -> Identifier<Subject>? {
        guard let word: String = decodeIfReadable(key), (1...256).contains(word.utf8.count) else {
            return nil
        }
        guard word.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" })
        else { return nil }
        return Identifier(word)
    }
}
