package import AccessAPI
import AccessServer
import CutieAPI
package import Domain
import Services

// MARK: - Sharing an app's conversations with other devices

extension HostApps {
    package func initiateLink(_ call: InitiateLink, for app: AppIdentity) async throws -> InitiateLink.Reply {
        let (offer, expiresAt) = try await linking.createOffer(account: service.findAccountName(of: app))
        return .init(
            linkToken: offer.linkToken.rawValue, expiresAt: expiresAt?.milliseconds,
            expiresIn: offer.expiresIn, hasExistingGroup: offer.hasExistingGroup)
    }

    package func fetchLinkStatus(_ call: LinkStatus, for app: AppIdentity) async throws -> LinkStatus.Reply {
        let progress = try await linking.fetchProgressAndJoin(
            ofOffer: call.linkToken, account: service.findAccountName(of: app))
        return .init(
            status: progress.status.rawValue, groupId: progress.groupID,
            targetDeviceName: progress.targetDeviceName.map { DisplayName.cleaned($0) },
            confirmedAt: progress.confirmedAt?.milliseconds, expiresAt: progress.expiresAt?.milliseconds)
    }

    package func confirmLink(_ call: ConfirmLink, for app: AppIdentity) async throws -> ConfirmLink.Reply {
        .init(
            groupId: try await service.confirmLink(
                call.linkToken, deviceName: call.deviceName, for: app, using: linking))
    }

    package func listLinkedDevices(
        _ call: LinkedDevices, for app: AppIdentity
    ) async throws -> LinkedDevices.Reply {
        let group = try await linking.fetchGroup(account: service.findAccountName(of: app))
        return .init(
            linked: group.linked, groupId: group.groupID,
            devices: group.linked ? group.devices.map(AppLinkedDevice.init(_:)) : [])
    }

    package func unlinkDevice(_ call: UnlinkDevice, for app: AppIdentity) async throws -> Done {
        try await service.unlinkDevice(call.device, for: app, using: linking)
        return Done()
    }
}

extension AppLinkedDevice {
    fileprivate init(_ member: Linking.Member) {
        self.init(
            deviceId: member.deviceID.rawValue,
            deviceName: member.deviceName.map { DisplayName.cleaned($0) },
            joinedAt: member.joinedAt?.milliseconds, isPrimary: member.isPrimary,
            isCurrent: member.isCurrent)
    }
}
