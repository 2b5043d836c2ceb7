package import CutieAPI
import OAuth
import RSD2
package import Reasons

/// A service of the user's institution, with the properties that the user sees.
package struct KnownService {
    package let account: String
    package let name: String
    /// The `engineLink`, which identifies the service.
    package let link: String
    package let host: String
    package let homePage: String?
    package let protocols: [String]
    /// The details of `protocols`, in the same order.
    package let apis: [API]
    /// The reasons why protocols of the service cannot be used.
    package let unusable: [Reason]
    /// Whether a token for the service is stored.
    package let isAuthorized: Bool
    package let fetchedAt: Timestamp
    /// The last time an app received a token for the service; `nil` if no app has received a token.
    package let usedAt: Timestamp?

    /// A usable protocol, as the service describes it.
    package struct API {
        package let name: String
        package let link: String
        package let versions: [String]
        package let transports: [String]
        package let isPreferred: Bool
        package let docs: String?
        /// The address of a WSDL document; `nil` if there is none.
        package let serviceDescription: String?
        package let notes: String?

        init(named name: String, description api: ServiceDescription.API) {
            (self.name, link, versions, transports) = (
                name, api.link.description, api.versions, api.transports
            )
            (isPreferred, docs) = (api.isPreferred, api.docs)
            (serviceDescription, notes) = (api.serviceDescription, api.notes)
        }
    }
}
