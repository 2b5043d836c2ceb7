import Config
import CutieAPI
import HTTP
import Store

/// One App ID at one API address: everything that a feed, an outbox and a verb need to know of it.
struct Account {
    let id: AccountID
    let configuration: AccountConfiguration
    let credential: Credential

    var name: String { configuration.name }
    var address: APIAddress { configuration.apiURL }

    var tls: TLSPolicy { TLSPolicy(configuration.tls) }
}

extension TLSPolicy {
    init(_ tls: AccountConfiguration.TLS) {
        self.init(
            minimumVersion: tls.minimumVersion == .v1_2 ? .v1_2 : .v1_3, caFile: tls.caFile,
            pins: Set(tls.pins.map(\.description)))
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
