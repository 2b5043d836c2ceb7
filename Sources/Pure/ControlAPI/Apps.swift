/// The accounts that other apps handed over, oldest first.
public struct ListApps: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var apps: [AppView]

        public init(apps: [AppView]) {
            self.apps = apps
        }
    }
}

/// An account that an app handed over.
public struct AppView: Codable, Hashable, Sendable {
    public var account: String
    public var appId: String
    public var appName: String?
    public var apiUrl: String
    /// Unix milliseconds.
    public var addedAt: Int64

    public init(account: String, appId: String, appName: String?, apiUrl: String, addedAt: Int64) {
        (self.account, self.appId, self.appName) = (account, appId, appName)
        (self.apiUrl, self.addedAt) = (apiUrl, addedAt)
    }
}

/// A link by which the Feedback App takes this account over.
public struct HandOverApp: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var account: String
        public var token: String
        /// `cutie://link?token=...`
        public var link: String

        public init(account: String, token: String, link: String) {
            self.account = account
            self.token = token
            self.link = link
        }
    }
}

/// Makes a token of `HandOverApp` unusable.
public struct CancelHandOver: ControlMethod {
    public var token: String
    public var account: String?

    public init(token: String, account: String? = nil) {
        (self.token, self.account) = (token, account)
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// Asks the person whether the account behind a `cutie://link` token is to be added here.
public struct TakeApp: ControlMethod {
    public var token: String
    /// A terminal asks: nothing pops up.
    public var quiet: Bool?
    /// The account at whose API the token was made.
    public var account: String?

    public init(token: String, quiet: Bool? = nil, account: String? = nil) {
        self.token = token
        self.quiet = quiet
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var question: QuestionView

        public init(question: QuestionView) {
            self.question = question
        }
    }
}

/// Takes an account that was handed over away again; other devices keep it.
public struct RemoveApp: ControlMethod {
    public var account: String

    public init(account: String) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// What the app's maker has paid for and used, as the service tells it; offline, as it told it last.
public struct GetSubscription: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var subscription: SubscriptionView
        /// Unix milliseconds.
        public var fetchedAt: Int64
        /// Why it is not of now.
        public var reason: String?

        public init(subscription: SubscriptionView, fetchedAt: Int64, reason: String? = nil) {
            self.subscription = subscription
            self.fetchedAt = fetchedAt
            self.reason = reason
        }
    }
}

/// Hands a store's receipt to the service, and tells what came of it.
public struct VerifySubscription: ControlMethod {
    public var platform: String
    public var productId: String
    /// Base64.
    public var receiptData: String
    public var account: String?

    public init(platform: String, productId: String, receiptData: String, account: String? = nil) {
        self.platform = platform
        self.productId = productId
        self.receiptData = receiptData
        self.account = account
    }

    public typealias Reply = GetSubscription.Reply
}

/// A subscription and what was used of it in its billing period; nil where the service does not tell, or sets
/// no limit.
public struct SubscriptionView: Codable, Hashable, Sendable {
    public var account: String
    public var tier: String
    /// `none`, `active`, `expired` or `grace_period`.
    public var state: String?
    /// The end of an active state or of a grace period, Unix milliseconds.
    public var until: Int64?
    public var billingPeriod: String?
    public var feedbackCount: Int?
    public var feedbackLimit: Int?
    public var feedbackRemaining: Int?
    public var messageCount: Int?
    public var attachmentBytes: Int?
    public var storageLimitBytes: Int?

    public init(
        account: String, tier: String, state: String? = nil, until: Int64? = nil,
        billingPeriod: String? = nil, feedbackCount: Int? = nil, feedbackLimit: Int? = nil,
        feedbackRemaining: Int? = nil, messageCount: Int? = nil, attachmentBytes: Int? = nil,
        storageLimitBytes: Int? = nil
    ) {
        self.account = account
        self.tier = tier
        self.state = state
        self.until = until
        self.billingPeriod = billingPeriod
        self.feedbackCount = feedbackCount
        self.feedbackLimit = feedbackLimit
        self.feedbackRemaining = feedbackRemaining
        self.messageCount = messageCount
        self.attachmentBytes = attachmentBytes
        self.storageLimitBytes = storageLimitBytes
    }
}
