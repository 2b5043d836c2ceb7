/// What starts a conversation.
public struct NewConversation: RequestBody {
    public var category: Category
    public var initialMessage: String
    public var appID: String
    public var title: String?
    public var userID: String?
    public var userName: String?
    /// Already cut to what the device context allows.
    public var device: DeviceFacts

    public init(
        category: Category, initialMessage: String, appID: String, title: String? = nil,
        userID: String? = nil, userName: String? = nil, device: DeviceFacts = DeviceFacts()
    ) {
        self.category = category
        self.initialMessage = initialMessage
        self.appID = appID
        self.title = title
        self.userID = userID
        self.userName = userName
        self.device = device
    }

    enum CodingKeys: String, CodingKey {
        case category, title
        case initialMessage = "initial_message"
        case appID = "app_id"
        case userID = "user_id"
        case userName = "user_name"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        category = try container.decode(Category.self, forKey: .category)
        initialMessage = try container.decode(String.self, forKey: .initialMessage)
        appID = try container.decode(String.self, forKey: .appID)
        title = container.lenient(.title)
        userID = container.lenient(.userID)
        userName = container.lenient(.userName)
        device = try DeviceFacts(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(category, forKey: .category)
        try container.encode(initialMessage, forKey: .initialMessage)
        try container.encode(appID, forKey: .appID)
        try container.encodeIfPresent(title, forKey: .title)
        try container.encodeIfPresent(userID, forKey: .userID)
        try container.encodeIfPresent(userName, forKey: .userName)
        try device.encode(to: encoder)
    }
}
