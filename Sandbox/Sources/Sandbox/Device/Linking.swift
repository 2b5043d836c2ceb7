import CutieAPI
import GRDB
import Hummingbird

/// Routes that link devices to a shared inbox and unlink them.
struct LinkRoutes: Sendable {
    let archive: Archive
    let requestParser: RequestParser

    func addRoutes(to router: Router<BasicRequestContext>) {
        router.addResource(at: "/v1/sdk/link/initiate", [.post: initiateLink])
        router.addResource(at: "/v1/sdk/link/confirm", [.post: confirmLink])
        router.addResource(at: "/v1/sdk/link/status/:token", [.get: showStatus])
        router.addResource(at: "/v1/sdk/link/devices", [.get: listDevices])
        router.addResource(at: "/v1/sdk/link/devices/:device", [.delete: removeDevice])
    }

    @Sendable private func initiateLink(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        return try .json(
            await archive.change { try $0.offerLink(from: $0.database.authenticateDevice(with: credential)) })
    }

    @Sendable private func confirmLink(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        return try .json(
            await archive.change { change in
                let caller = try change.database.authenticateDevice(with: credential)
                return try change.confirmLink(try call.decodeBody(), by: caller)
            })
    }

    @Sendable private func showStatus(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        let token = LinkToken(try call.pathParameter("token"))
        return try .json(
            await archive.read { database in
                let caller = try database.authenticateDevice(with: credential)
                return try database.fetchProgress(ofLink: token, for: caller)
            })
    }

    @Sendable private func listDevices(_ call: SandboxCall) async throws -> Response {
        let credential = try requestParser.parseDevice(of: call)
        return try .json(
            await archive.read { try $0.fetchLinkedDevices(of: $0.authenticateDevice(with: credential)) })
    }

    @Sendable private func removeDevice(_ call: SandboxCall) async throws -> Response {
        let credential = try await requestParser.authenticateSendingDevice(of: call, in: archive)
        let device = DeviceID(try call.pathParameter("device"))
        try await archive.change { change in
            try change.unlink(device, by: try change.database.authenticateDevice(with: credential))
        }
        return try .json(Linking.Removed(success: true, message: "Device removed"))
    }
}

/// A link token with its creator, expiry time and confirmation.
struct LinkOffer: FetchableRecord {
    /// The lifetime of a link token, in seconds.
    static let lifetime = 300

    let token: LinkToken
    let device: DeviceID
    let expiresAt: Timestamp
    let confirmedAt: Timestamp?
    let group: GroupID?
    let target: DeviceID?
    let targetName: String?

    init(row: Row) {
        let (confirmed, group, target): (Int64?, String?, String?) =
            (row["confirmedAt"], row["groupID"], row["targetID"])
        token = LinkToken(row["token"])
        device = DeviceID(row["deviceID"])
        expiresAt = Timestamp(milliseconds: row["expiresAt"])
        confirmedAt = confirmed.map { Timestamp(milliseconds: $0) }
        self.group = group.map { GroupID($0) }
        self.target = target.map { DeviceID($0) }
        targetName = row["targetName"]
    }

    func state(at now: Timestamp) -> Linking.State {
        if confirmedAt != nil { return .confirmed }
        return expiresAt > now ? .pending : .expired
    }
}

extension Database {
    func findOffer(withToken token: LinkToken) throws -> LinkOffer {
        let offer = try LinkOffer.fetchOne(
            self, sql: "SELECT * FROM linkOffer WHERE token = ?", arguments: [token.rawValue])
        guard let offer else { throw Refusal(.notFound, "link token not found") }
        return offer
    }

    /// Returns the progress of a link. Throws if the caller is not one of the two devices of the link.
    func fetchProgress(ofLink token: LinkToken, for caller: AuthenticatedDevice) throws -> Linking.Progress {
        let offer = try findOffer(withToken: token)
        guard caller.device == offer.device || caller.device == offer.target else {
            throw Refusal(.notFound, "link token not found")
        }
        return Linking.Progress(
            status: offer.state(at: .now), linkToken: token, groupID: offer.group?.rawValue,
            targetDeviceName: offer.targetName, confirmedAt: offer.confirmedAt, expiresAt: offer.expiresAt)
    }

    /// Returns the devices that share the caller's inbox; empty if the inbox is not shared. Every device has
    /// a name, because the SDK cannot parse a device without a name.
    func fetchLinkedDevices(of caller: AuthenticatedDevice) throws -> Linking.Group {
        let rows = try Row.fetchAll(
            self, sql: "SELECT * FROM device WHERE groupID = ? ORDER BY joinedAt, id",
            arguments: [caller.group.rawValue])
        guard rows.count > 1 else { return Linking.Group(linked: false, groupID: nil, devices: []) }
        let members = rows.map { row in
            let names: [String?] = [row["name"], row["deviceModel"]]
            let name = names.compactMap(\.self).first { $0.contains { !$0.isWhitespace } }
            return Linking.Member(
                deviceID: DeviceID(row["id"]), deviceName: name ?? "Unnamed device",
                joinedAt: Timestamp(milliseconds: row["joinedAt"]), isPrimary: row["isPrimary"],
                isCurrent: row["id"] == caller.device.rawValue)
        }
        return Linking.Group(linked: true, groupID: caller.group.rawValue, devices: members)
    }
}

extension SandboxTransaction {
    func offerLink(from caller: AuthenticatedDevice) throws -> Linking.Offer {
        let token = LinkToken(RandomText.makeID(prefix: "cutie_lt_"))
        let expiry = now.advanced(bySeconds: LinkOffer.lifetime)
        try database.run(
            sql: "DELETE FROM linkOffer WHERE expiresAt < ?",
            arguments: [now.advanced(bySeconds: -86_400).milliseconds])
        try database.run(
            sql: "INSERT INTO linkOffer (token, deviceID, expiresAt) VALUES (?, ?, ?)",
            arguments: [token.rawValue, caller.device.rawValue, expiry.milliseconds])
        return Linking.Offer(
            linkToken: token, expiresAt: expiry, expiresIn: LinkOffer.lifetime,
            hasExistingGroup: try database.fetchLinkedDevices(of: caller).linked)
    }

    /// Moves the caller and its linked devices to the group of the device that created the token. A repeated
    /// confirmation by the same device succeeds, because the first response may have been lost.
    func confirmLink(_ confirmation: Linking.Confirmation, by caller: AuthenticatedDevice) throws
        -> Linking.Confirmed
    {
        let offer = try database.findOffer(withToken: confirmation.linkToken)
        guard offer.device != caller.device else {
            throw Refusal(.unprocessable, "a device cannot be linked with itself")
        }
        guard let group = try database.findGroup(of: offer.device),
            try database.findAppID(of: offer.device) == caller.appID
        else {
            throw Refusal(.notFound, "link token not found")
        }
        switch offer.state(at: now) {
        case .pending: try link(caller, to: group, accepting: offer, deviceName: confirmation.deviceName)
        case .confirmed where offer.target == caller.device: break
        case .confirmed: throw Refusal(.conflict, "the link token was already used by another device")
        default: throw Refusal(.notFound, "the link token has expired")
        }
        return Linking.Confirmed(success: true, groupID: group.rawValue, message: "Devices linked")
    }

    private func link(
        _ caller: AuthenticatedDevice, to group: GroupID, accepting offer: LinkOffer, deviceName: String?
    )
        throws
    {
        try database.run(
            sql: """
                UPDATE linkOffer SET confirmedAt = ?, groupID = ?, targetID = ?, targetName = ?
                WHERE token = ?
                """,
            arguments: [
                now.milliseconds, group.rawValue, caller.device.rawValue, deviceName, offer.token.rawValue,
            ])
        try database.run(
            sql: "UPDATE device SET name = coalesce(?, name) WHERE id = ?",
            arguments: [deviceName, caller.device.rawValue])
        if caller.group != group { try merge(caller.group, into: group) }
    }

    /// Moves the devices, conversations and unread messages of `oldGroup` to `group`, and deletes `oldGroup`.
    func merge(_ oldGroup: GroupID, into group: GroupID) throws {
        let moved = try Row.fetchAll(
            database, sql: "SELECT id, name FROM device WHERE groupID = ?", arguments: [oldGroup.rawValue])
        try database.run(
            sql: "UPDATE device SET groupID = ?, isPrimary = 0, joinedAt = ? WHERE groupID = ?",
            arguments: [group.rawValue, now.milliseconds, oldGroup.rawValue])
        try database.run(
            sql: "UPDATE conversation SET groupID = ? WHERE groupID = ?",
            arguments: [group.rawValue, oldGroup.rawValue])
        try database.run(
            sql: "UPDATE deviceGroup SET unread = unread + ?, version = version + 1 WHERE id = ?",
            arguments: [try database.fetchTotalUnreadCount(of: oldGroup), group.rawValue])
        try database.run(sql: "DELETE FROM deviceGroup WHERE id = ?", arguments: [oldGroup.rawValue])
        for row in moved {
            let event = Event.LinkChange(
                groupID: group.rawValue, deviceID: DeviceID(row["id"]), deviceName: row["name"])
            try recordEvent(.deviceLinked(event), for: group, at: now)
        }
        // Reset the event cursors, because some devices received no events for conversations that are now in
        // the merged inbox.
        try recordEvent(.reset, for: group, at: now)
        wakeReaders(of: oldGroup)
    }

    /// Removes a device from a shared inbox. The device gets an empty inbox; the conversations stay in the
    /// shared inbox.
    func unlink(_ device: DeviceID, by caller: AuthenticatedDevice) throws {
        let linked = try database.fetchLinkedDevices(of: caller)
        guard let member = linked.devices.first(where: { $0.deviceID == device }) else {
            throw Refusal(.notFound, "linked device not found")
        }
        let group = try createGroup()
        try database.run(
            sql: "UPDATE device SET groupID = ?, isPrimary = 1, joinedAt = ? WHERE id = ?",
            arguments: [group.rawValue, now.milliseconds, device.rawValue])
        try database.run(
            sql: """
                UPDATE device SET isPrimary = 1 WHERE id =
                    (SELECT id FROM device WHERE groupID = ? ORDER BY isPrimary DESC, joinedAt, id LIMIT 1)
                """,
            arguments: [caller.group.rawValue])
        let event = Event.LinkChange(
            groupID: caller.group.rawValue, deviceID: device, deviceName: member.deviceName)
        try recordEvent(.deviceUnlinked(event), for: caller.group, at: now)
        try recordEvent(.deviceUnlinked(event), for: group, at: now)
        try recordEvent(.reset, for: group, at: now)
    }
}

/// Phantom type of `GroupID`. The devices of a group share one inbox; a device that is not linked is the only
/// device in its group.
enum DeviceGroup {}
typealias GroupID = Identifier<DeviceGroup>
