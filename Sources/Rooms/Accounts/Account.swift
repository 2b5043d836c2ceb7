package import Config
package import ControlAPI
package import CutieAPI
import HTTP
import Store

/// A name of the configuration for a caller of one API: everything that a feed, an outbox and a verb need to know
/// of it.
package struct Account {
    package let id: AccountID
    package let configuration: AccountConfiguration
    package let kind: Kind

    package var name: String { configuration.name }
    package var address: APIAddress { configuration.apiURL }

    /// Who speaks to the API, with what only such a caller has.
    package enum Kind {
        /// A person's device of an app.
        case device(Device)
        /// Somebody of the app's makers, signed in by a client.
        case staff(clientID: String)
        /// A person whom an institution knows, signed in by a client. Nothing comes by it: it has no feed.
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

    /// nil: another kind has none.
    package var device: Device? {
        switch kind {
        case .device(let device): device
        case .staff, .identity: nil
        }
    }

    /// Whether it is of somebody who answers.
    package var isOfStaff: Bool {
        if case .staff = kind { true } else { false }
    }

    /// Whether anything comes by it.
    package var hasFeed: Bool {
        switch kind {
        case .device, .staff: true
        case .identity: false
        }
    }

    var tls: TLSPolicy { TLSPolicy(of: configuration) }

    /// What every call tells, whoever makes it.
    var headers: [APIRequest.Header] {
        let named: [(String, String?)] = [
            (HeaderName.appID, device?.appID), (HeaderName.sdkVersion, Product.version),
            (HeaderName.apiKey, configuration.apiKey),
        ]
        return named.compactMap { name, value in value.map { APIRequest.Header(name: name, value: $0) } }
    }

    /// The device that a verb is about.
    package func requireDevice() throws(InvalidArgument) -> Device {
        guard let device else { throw .noDevice }
        return device
    }
}

extension AccountKind {
    /// The word for it in `status`.
    package init(_ kind: Account.Kind) {
        switch kind {
        case .device: self = .device
        case .staff: self = .staff
        case .identity: self = .identity
        }
    }
}

extension InvalidArgument {
    /// What only a device can do was asked of an account of another kind.
    static var noDevice: InvalidArgument {
        InvalidArgument(parameter: "account", reason: "it is not the account of a device")
    }

    /// What only somebody who signs in can do was asked of a device.
    static var noSignIn: InvalidArgument {
        InvalidArgument(
            parameter: "account",
            reason: "nobody signs in to it: its `kind` is device; see `cutied setup --staff`")
    }
}
