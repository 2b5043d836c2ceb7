import ControlAPI
import CutieAPI
import Services
import VarlinkSocket

/// The handlers for devices that share an inbox.
struct LinkingMethods: ControlMethods {
    let service: LinkingService

    var implementation: Implementation {
        Implementation()
            .onStream(StartLink.self) { call, replies in
                try await startLink(call.parameters) { try await replies.send($0, continues: !$1) }
            }
            .on(confirmLink).on(fetchLinkStatus).on(listLinkedDevices).on(removeDevice)
    }

    /// Offers a link, and sends the offer and then its result. Ends if the caller disconnects.
    func startLink(_ call: StartLink, send: (LinkView, _ isLast: Bool) async throws -> Void) async throws {
        let (offer, progress) = try await service.createOfferAndWait(account: call.account) { offer in
            try await send(LinkView(offer), false)
        }
        try await send(LinkView(progress, of: offer), true)
    }

    func fetchLinkStatus(_ call: LinkStatus) async throws -> LinkView {
        let (offer, progress) = try await service.fetchProgress(
            ofOffer: call.linkToken, account: call.account)
        return LinkView(progress, of: offer)
    }

    func confirmLink(_ call: ConfirmLink) async throws -> ConfirmLink.Reply {
        let (group, name) = try await service.confirmLink(
            token: call.linkToken, deviceName: call.name, account: call.account)
        return .init(groupId: group, name: name)
    }

    func listLinkedDevices(_ call: LinkedDevices) async throws -> LinkedDevices.Reply {
        let (groups, unanswered) = try await service.fetchDevices(account: call.account)
        let devices = groups.flatMap { group in group.devices.map { DeviceView($0, account: group.account) } }
        return .init(devices: devices, unanswered: unanswered.isEmpty ? nil : unanswered)
    }

    func removeDevice(_ call: RemoveDevice) async throws -> RemoveDevice.Reply {
        try await service.removeDevice(call.device, account: call.account)
        return .init()
    }
}

extension LinkView {
    /// Creates the view of a pending link.
    fileprivate init(_ offer: LinkOffer) {
        self.init(
            linkToken: offer.token.rawValue, expiresAt: offer.expiresAt?.milliseconds,
            status: Linking.State.pending.rawValue)
    }

    fileprivate init(_ progress: Linking.Progress, of offer: LinkOffer) {
        self.init(offer)
        status = progress.status.rawValue
        deviceName = progress.targetDeviceName.map { DisplayName.cleaned($0) }
    }
}

extension DeviceView {
    fileprivate init(_ member: Linking.Member, account: String) {
        self.init(
            account: account, deviceId: member.deviceID.rawValue,
            deviceName: member.deviceName.map { DisplayName.cleaned($0) },
            joinedAt: member.joinedAt?.milliseconds, primary: member.isPrimary, current: member.isCurrent)
    }
}
