package import Config
package import CutieAPI
package import Domain
import HTTP
import Platform
import Reasons
import Store

/// A configured account at an API, with its identity and its connection settings.
package struct Account {
    package let id: AccountID
    package let configuration: AccountConfiguration
    package let kind: Kind

    package var name: String { configuration.name }
    package var address: APIAddress { configuration.apiURL }

    /// The kind of account, with the properties that only this kind has.
    package enum Kind {
        /// A user's device, which sends feedback about an app.
        case device(Device)
        /// A member of an app's support staff, signed in through an OAuth client.
        case staff(clientID: String)
        /// A user with an identity at an institution, signed in through an OAuth client. The account has no
        /// feed, because it receives no messages.
        case identity(clientID: String)
    }

    package struct Device {
        package let appID: String
        package let id: DeviceID
        let readFacts: () -> DeviceFacts

        init(appID: String, id: DeviceID, facts: @escaping () -> DeviceFacts = { DeviceFacts() }) {
            (self.appID, self.id, readFacts) = (appID, id, facts)
        }

        /// The current facts about this computer, limited to those that the configured device context allows.
        package var facts: DeviceFacts { readFacts() }
    }

    /// `nil` for other kinds of accounts.
    package var device: Device? {
        switch kind {
        case .device(let device): device
        case .staff, .identity: nil
        }
    }

    /// Returns the error message for an API that has refused the App ID of this account. The App ID of an
    /// added account is not in the configuration, so the message advises the user to report the problem to
    /// the developer.
    func makeRefusalReason(forAppID appID: String) -> Reason {
        let reason = Reason(.appIDRefused, ["app": appID])
        return configuration.isAdded ? reason.replacingAdvice(with: Reason(.reportToDeveloper)) : reason
    }

    /// Whether this is a support account, whose user replies to the users of an app.
    package var isStaff: Bool {
        if case .staff = kind { true } else { false }
    }

    /// Whether the account receives messages.
    package var hasFeed: Bool {
        switch kind {
        case .device, .staff: true
        case .identity: false
        }
    }

    var tls: TLSPolicy { TLSPolicy(of: configuration) }

    /// The headers of every request.
    var headers: [APIRequest.Header] {
        let named: [(String, String?)] = [
            (HeaderName.appID, device?.appID), (HeaderName.sdkVersion, Product.version),
            (HeaderName.apiKey, configuration.apiKey),
        ]
        return named.compactMap { name, value in value.map { APIRequest.Header(name: name, value: $0) } }
    }

    /// Returns the device. Throws `invalidArgument` for other kinds of accounts.
    package func requireDevice() throws(ServiceError) -> Device {
        guard let device else { throw .noDevice }
        return device
    }
}

extension ServiceError {
    /// The error for a device operation on an account of another kind.
    static var noDevice: ServiceError {
        .invalidArgument(parameter: "account", reason: Reason(.notADeviceAccount))
    }

    /// The error for a sign-in operation on a device account.
    static var noSignIn: ServiceError {
        .invalidArgument(
            parameter: "account",
            reason: Reason(.notASignInAccount))
    }
}
