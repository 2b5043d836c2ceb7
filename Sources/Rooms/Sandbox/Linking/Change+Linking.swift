import CutieAPI
import GRDB

extension Change {
    func offerLink(from caller: Caller) throws -> Linking.Offer {
        let token = LinkToken(Secret.make("cutie_lt_"))
        let expiry = now.advanced(bySeconds: LinkOffer.life)
        try database.run(
            sql: "DELETE FROM linkOffer WHERE expiresAt < ?",
            arguments: [now.advanced(bySeconds: -86_400).milliseconds])
        try database.run(
            sql: "INSERT INTO linkOffer (token, deviceID, expiresAt) VALUES (?, ?, ?)",
            arguments: [token.rawValue, caller.device.rawValue, expiry.milliseconds])
        return Linking.Offer(
            linkToken: token, expiresAt: expiry, expiresIn: LinkOffer.life,
            hasExistingGroup: try database.linkedDevices(of: caller).linked)
    }

    /// Brings the caller, and whoever is linked with it, into the group of the device that offered. The
    /// repeat of a confirmation whose answer was lost is a success, too.
    func confirmLink(_ confirmation: Linking.Confirmation, by caller: Caller) throws -> Linking.Confirmed {
        let offer = try database.offer(confirmation.linkToken)
        guard offer.device != caller.device else {
            throw Refusal(.unprocessable, "a device cannot link with itself")
        }
        guard let group = try database.group(of: offer.device),
            try database.appID(of: offer.device) == caller.appID
        else {
            throw Refusal(.notFound, "no such link token")
        }
        switch offer.state(at: now) {
        case .pending: try join(caller, group, by: offer, name: confirmation.deviceName)
        case .confirmed where offer.target == caller.device: break
        case .confirmed: throw Refusal(.conflict, "the link token was used by another device")
        default: throw Refusal(.notFound, "the link token has expired")
        }
        return Linking.Confirmed(success: true, groupID: group.rawValue, message: "Devices linked")
    }

    private func join(_ caller: Caller, _ group: GroupID, by offer: LinkOffer, name: String?) throws {
        try database.run(
            sql: """
                UPDATE linkOffer SET confirmedAt = ?, groupID = ?, targetID = ?, targetName = ?
                WHERE token = ?
                """,
            arguments: [
                now.milliseconds, group.rawValue, caller.device.rawValue, name, offer.token.rawValue,
            ])
        try database.run(
            sql: "UPDATE device SET name = coalesce(?, name) WHERE id = ?",
            arguments: [name, caller.device.rawValue])
        if caller.group != group { try merge(caller.group, into: group) }
    }

    /// Devices, conversations and what is unread of `old` become those of `group`.
    func merge(_ old: GroupID, into group: GroupID) throws {
        let moved = try Row.fetchAll(
            database, sql: "SELECT id, name FROM device WHERE groupID = ?", arguments: [old.rawValue])
        try database.run(
            sql: "UPDATE device SET groupID = ?, isPrimary = 0, joinedAt = ? WHERE groupID = ?",
            arguments: [group.rawValue, now.milliseconds, old.rawValue])
        try database.run(
            sql: "UPDATE conversation SET groupID = ? WHERE groupID = ?",
            arguments: [group.rawValue, old.rawValue])
        try database.run(
            sql: "UPDATE deviceGroup SET unread = unread + ?, version = version + 1 WHERE id = ?",
            arguments: [try database.totalUnread(of: old), group.rawValue])
        try database.run(sql: "DELETE FROM deviceGroup WHERE id = ?", arguments: [old.rawValue])
        for row in moved {
            let told = Event.LinkChange(
                groupID: group.rawValue, deviceID: DeviceID(row["id"]), deviceName: row["name"])
            try tell(.deviceLinked(told), to: group, at: now)
        }
        // Conversations of which no event ever told this inbox are there now.
        try tell(.reset, to: group, at: now)
        wake(old)
    }

    /// The removed device starts with an empty inbox; the conversations stay in the shared one.
    func unlink(_ device: DeviceID, by caller: Caller) throws {
        let linked = try database.linkedDevices(of: caller)
        guard let member = linked.devices.first(where: { $0.deviceID == device }) else {
            throw Refusal(.notFound, "no such linked device")
        }
        let group = try newGroup()
        try database.run(
            sql: "UPDATE device SET groupID = ?, isPrimary = 1, joinedAt = ? WHERE id = ?",
            arguments: [group.rawValue, now.milliseconds, device.rawValue])
        try database.run(
            sql: """
                UPDATE device SET isPrimary = 1 WHERE id =
                    (SELECT id FROM device WHERE groupID = ? ORDER BY isPrimary DESC, joinedAt, id LIMIT 1)
                """,
            arguments: [caller.group.rawValue])
        let told = Event.LinkChange(
            groupID: caller.group.rawValue, deviceID: device, deviceName: member.deviceName)
        try tell(.deviceUnlinked(told), to: caller.group, at: now)
        try tell(.deviceUnlinked(told), to: group, at: now)
        try tell(.reset, to: group, at: now)
    }
}
