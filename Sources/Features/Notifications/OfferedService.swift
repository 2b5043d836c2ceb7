/// A service that the user can allow for an app. Stored as JSON with the question.
package struct OfferedService: Codable, Hashable, Sendable {
    package var name: String
    /// The `engineLink`, which identifies the service.
    package var link: String
    package var host: String
    /// The account of the user on whose behalf the app would act.
    package var account: String
    /// Whether any app has received a token for the service before.
    package var used: Bool
    /// The identifier in answers, which distinguishes the same service in several accounts; `nil` in a
    /// question that an older version stored.
    package var id: String?

    package init(name: String, link: String, host: String, account: String, used: Bool) {
        (self.name, self.link, self.host) = (name, link, host)
        (self.account, self.used) = (account, used)
    }
}

extension Sequence<OfferedService> {
    /// The services without duplicates: for each service, the entry of the first account that has the
    /// service. An answer that names no services allows these services.
    package var uniquedByLink: [OfferedService] {
        var seen: Set<String> = []
        return filter { seen.insert($0.link).inserted }
    }
}
