import CutieAPI
import GRDB

/// A link token and what has become of it.
struct LinkOffer: FetchableRecord {
    /// Seconds.
    static let life = 300

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
    func offer(_ token: LinkToken) throws -> LinkOffer {
        let offer = try LinkOffer.fetchOne(
            self, sql: "SELECT * FROM linkOffer WHERE token = ?", arguments: [token.rawValue])
        guard let offer else { throw Refusal(.notFound, "no such link token") }
        return offer
    }

    /// Only the two devices of the link are told.
    func progress(of token: LinkToken, for caller: Caller) throws -> Linking.Progress {
        let offer = try offer(token)
        guard caller.device == offer.device || caller.device == offer.target else {
            throw Refusal(.notFound, "no such link token")
        }
        return Linking.Progress(
            status: offer.state(at: .now), linkToken: token, groupID: offer.group?.rawValue,
            targetDeviceName: offer.targetName, confirmedAt: offer.confirmedAt, expiresAt: offer.expiresAt)
    }

    /// The devices of the caller's inbox, where it shares one. Each has a name: the SDK cannot read one without.
    func linkedDevices(of caller: Caller) throws -> Linking.Group {
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
