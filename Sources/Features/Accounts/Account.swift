package import Config
package import CutieAPI
package import Domain
import HTTP
import Platform
import Store

/// A configured account of one API, with all that a feed, an outbox and a verb need to know about it.
package struct Account {
    package let id: AccountID
    package let configuration: AccountConfiguration
    package let kind: Kind

    package var name: String { configuration.name }
    package var address: APIAddress { configuration.apiURL }

    /// The kind of the caller, with the properties that only this kind has.
    package enum Kind {
        /// A user's device of an app.
        case device(Device)
        /// A member of an app's staff, signed in by an OAuth client.
        case staff(clientID: String)
        /// A user with an identity at an institution, signed in by an OAuth client. Receives no messages: it
        /// has no feed.
        case identity(clientID: String)
    }

    package struct Device {
        package let appID: String
        package let id: DeviceID
        let readFacts: () -> DeviceFacts

        init(appID: String, id: DeviceID, facts: @escaping () -> DeviceFacts = { DeviceFacts() }) {
            (self.appID, self.id, readFacts) = (appID, id, facts)
        }

        /// The current facts of this machine that the configured device context allows to send.
        package var facts: DeviceFacts { readFacts() }
    }

    /// `nil` for other kinds of accounts.
    package var device: Device? {
        switch kind {
        case .device(let device): device
        case .staff, .identity: nil
        }
    }

    /// Whether the account belongs to a member of the staff, who answers users.
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

    /// The headers of each call, independent of the caller.
    var headers: [APIRequest.Header] {
        let named: [(String, String?)] = [
            (HeaderName.appID, device?.appID), (HeaderName.sdkVersion, Product.version),
            (HeaderName.apiKey, configuration.apiKey),
        ]
        return named.compactMap { name, value in value.map { APIRequest.Header(name: name, value: $0) } }
    }

    /// Returns the device; throws `invalidArgument` for other kinds of accounts.
    package func requireDevice() throws(ServiceError) -> Device {
        guard let device else { throw .noDevice }
        return device
    }
}

extension ServiceError {
    /// The error for a device operation on an account of another kind.
    static var noDevice: ServiceError {
        .invalidArgument(parameter: "account", reason: "it is not a device account")
    }

    /// The error for a sign-in operation on a device's account.
    static var noSignIn: ServiceError {
        .invalidArgument(
            parameter: "account",
            reason: "it is a device account, which needs no sign-in; see `cutied setup --staff`")
    }
}
