/// What answers in a conversation.
public struct NewMessage: RequestBody {
    public var text: String
    public var userName: String?

    public init(text: String, userName: String? = nil) {
        self.text = text
        self.userName = userName
    }

    enum CodingKeys: String, CodingKey {
        case text = "message"
        case userName = "user_name"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        userName = container.lenient(.userName)
    }
}
