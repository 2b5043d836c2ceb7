import CutieAPI
import GRDB

extension Change {
    /// A repeat gets the same token; after a revocation there is another one.
    func register(_ device: DeviceID, _ registration: Registration) throws -> Registration.Answer {
        let isNew = try !database.knows(device)
        if isNew { try add(device, of: registration.appID) }
        guard try database.appID(of: device) == registration.appID else { throw Refusal.anotherApp }
        try database.run(
            sql: """
                UPDATE device SET token = coalesce(token, ?), tokenID = coalesce(tokenID, ?),
                    appVersion = ?, osVersion = ?, deviceModel = ? WHERE id = ?
                """,
            arguments: [
                Secret.make("cutie_dt_"), Secret.make("dtk_"), registration.appVersion,
                registration.osVersion, registration.deviceModel, device.rawValue,
            ])
        let row = try database.row(
            sql: "SELECT token, tokenID FROM device WHERE id = ?", arguments: [device.rawValue])
        guard let row else { throw Refusal(.internalError, "the device was not stored") }
        return Registration.Answer(
            deviceToken: DeviceToken(row["token"]), tokenID: row["tokenID"], isNew: isNew)
    }

    /// Makes a device known, alone in a group of its own and without a token.
    func add(_ device: DeviceID, of appID: String) throws {
        try database.run(
            sql: "INSERT INTO device (id, groupID, joinedAt, appID) VALUES (?, ?, ?, ?)",
            arguments: [device.rawValue, try newGroup().rawValue, now.milliseconds, appID])
    }

    func newGroup() throws -> GroupID {
        let group = GroupID(Secret.make("group_"))
        try database.run(
            sql: "INSERT INTO deviceGroup (id) VALUES (?)", arguments: [group.rawValue])
        return group
    }

    func subscribe(_ device: DeviceID, to tier: Subscription.Tier, until: Timestamp) throws {
        try database.run(
            sql: "UPDATE device SET tier = ?, paidUntil = ? WHERE id = ?",
            arguments: [tier.rawValue, until.milliseconds, device.rawValue])
    }

    /// The device's open streams end, too. Throws 404 where there is no such device.
    func revoke(_ device: DeviceID) throws {
        guard let group = try database.group(of: device) else {
            throw Refusal(.notFound, "no such device")
        }
        try database.run(
            sql: "UPDATE device SET token = NULL, tokenID = NULL WHERE id = ?",
            arguments: [device.rawValue])
        wake(group)
    }
}

extension Database {
    func knows(_ device: DeviceID) throws -> Bool { try group(of: device) != nil }

    func appID(of device: DeviceID) throws -> String? {
        try String.fetchOne(
            self, sql: "SELECT appID FROM device WHERE id = ?", arguments: [device.rawValue])
    }

    func group(of device: DeviceID) throws -> GroupID? {
        let id = try String.fetchOne(
            self, sql: "SELECT groupID FROM device WHERE id = ?", arguments: [device.rawValue])
        return id.map { GroupID($0) }
    }
}
