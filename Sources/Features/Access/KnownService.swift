package import CutieAPI

/// A service of the user's institution, with the properties that the user sees.
package struct KnownService {
    package let account: String
    package let name: String
    /// The `engineLink`, which identifies the service.
    package let link: String
    package let host: String
    package let homePage: String?
    package let protocols: [String]
    /// The reason for each protocol that cannot be used.
    package let unusable: [String]
    /// Whether a token for the service is stored.
    package let isAuthorized: Bool
    package let fetchedAt: Timestamp
    /// The last time an app received a token for the service; `nil` if that has not happened.
    package let usedAt: Timestamp?
}
