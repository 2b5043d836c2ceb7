/// Returns the accounts that other apps handed over, oldest first.
public struct ListApps: ControlMethod {
    public init() {}

    public struct Reply: Codable, Hashable, Sendable {
        public var apps: [AppView]

        public init(apps: [AppView]) {
            self.apps = apps
        }
    }
}

/// An account that another app handed over.
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

/// Creates a link with which the Feedback App can add this account.
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

/// Revokes a token created by `HandOverApp`.
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

/// Asks the user whether to add the account behind a `cutie://link` token.
public struct TakeApp: ControlMethod {
    public var token: String
    /// Whether the call comes from a terminal, so that no notification is shown.
    public var quiet: Bool?
    /// The account whose API created the token.
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

/// Removes an account that was handed over. Other devices keep the account.
public struct RemoveApp: ControlMethod {
    public var account: String

    public init(account: String) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public init() {}
    }
}

/// Returns the subscription of the app's maker and its usage. If the service is offline, the last known state
/// is returned.
public struct GetSubscription: ControlMethod {
    public var account: String?

    public init(account: String? = nil) {
        self.account = account
    }

    public struct Reply: Codable, Hashable, Sendable {
        public var subscription: SubscriptionView
        /// Unix milliseconds.
        public var fetchedAt: Int64
        /// The reason why the state is not current; `nil` if it is.
        public var reason: String?

        public init(subscription: SubscriptionView, fetchedAt: Int64, reason: String? = nil) {
            self.subscription = subscription
            self.fetchedAt = fetchedAt
            self.reason = reason
        }
    }
}

/// Sends a store receipt to the service for verification and returns the result.
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

/// A subscription and its usage in the current billing period. A value is `nil` if the service does not
/// report it or sets no limit.
public struct SubscriptionView: Codable, Hashable, Sendable {
    public var account: String
    public var tier: String
    /// `none`, `active`, `expired` or `grace_period`.
    public var state: String?
    /// Unix milliseconds. The end of an active state or of a grace period.
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
