import Config
import ControlAPI
import CutieAPI
import HTTP
import Store

/// One App ID at one API address: everything that a feed, an outbox and a verb need to know of it.
struct Account {
    let id: AccountID
    let configuration: AccountConfiguration
    let credential: Credential
    /// What may be told of this machine, the configured device context and no more.
    var facts = DeviceFacts()

    var name: String { configuration.name }
    var address: APIAddress { configuration.apiURL }

    var tls: TLSPolicy { TLSPolicy(of: configuration) }

    /// What every call tells, whoever makes it.
    var headers: [APIRequest.Header] {
        let named: [(String, String?)] = [
            (HeaderName.appID, credential.appID), (HeaderName.sdkVersion, Product.version),
            (HeaderName.apiKey, configuration.apiKey),
        ]
        return named.compactMap { name, value in value.map { APIRequest.Header(name: name, value: $0) } }
    }
}

/// Who speaks to the API.
enum Credential: Hashable {
    /// A person's device of an app.
    case device(appID: String, id: DeviceID)

    var appID: String {
        switch self {
        case .device(let appID, _): appID
        }
    }

    var deviceID: DeviceID {
        switch self {
        case .device(_, let id): id
        }
    }
}
