import CutieAPI
import GRDB

/// A device as a look behind the counter shows it.
struct KnownDevice: Encodable {
    let deviceID: String
    let groupID: String
    let isRegistered: Bool
    let facts: DeviceFacts
    let pushTokens: [String: String]
    let attestation: Attestation.Key?

    init(_ row: Row, _ database: Database) throws {
        deviceID = row["id"]
        groupID = row["groupID"]
        let token: String? = row["token"]
        isRegistered = token != nil
        facts = DeviceFacts(
            appVersion: row["appVersion"], osVersion: row["osVersion"], deviceModel: row["deviceModel"])
        let addresses = try Row.fetchAll(
            database, sql: "SELECT platform, token FROM pushAddress WHERE deviceID = ?",
            arguments: [deviceID])
        attestation = try database.attestation(of: DeviceID(deviceID))?.told
        pushTokens = Dictionary(uniqueKeysWithValues: addresses.map { ($0["platform"], $0["token"]) })
    }

    enum CodingKeys: String, CodingKey {
        case facts, attestation
        case deviceID = "device_id"
        case groupID = "group_id"
        case isRegistered = "registered"
        case pushTokens = "push_tokens"
    }
}
