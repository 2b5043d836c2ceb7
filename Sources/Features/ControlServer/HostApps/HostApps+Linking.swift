package import AccessAPI
package import AccessServer
import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Notifications

/// Sharing an app's conversations with other devices. The user decides about each change.
extension HostApps {
    package func initiateLink(
        _ call: InitiateLink, for app: AppIdentity
    ) async throws -> InitiateLink.Reply {
        let unit = try unit(of: app)
        let offer = try await answer { try await linking.offer(of: unit) }
        return .init(
            linkToken: offer.linkToken.rawValue,
            expiresAt: LinkOffer(offer, at: surroundings.now()).expiresAt?.milliseconds,
            expiresIn: offer.expiresIn, hasExistingGroup: offer.hasExistingGroup)
    }

    package func linkStatus(
        _ call: AccessAPI.LinkStatus, for app: AppIdentity
    ) async throws -> AccessAPI.LinkStatus.Reply {
        let unit = try unit(of: app)
        let progress = try await answer { try await linking.progress(of: call.linkToken, joining: unit) }
        return .init(
            status: progress.status.rawValue, groupId: progress.groupID,
            targetDeviceName: progress.targetDeviceName.map { DisplayName.cleaned($0) },
            confirmedAt: progress.confirmedAt?.milliseconds, expiresAt: progress.expiresAt?.milliseconds)
    }

    package func confirmLink(
        _ call: AccessAPI.ConfirmLink, for app: AppIdentity
    ) async throws -> AccessAPI.ConfirmLink.Reply {
        let account = try unit(of: app).account.name
        try await actions.ask(.link, of: app, owner(of: account))
        let reply = try await answer {
            try await linking.confirmLink(
                .init(linkToken: call.linkToken, name: call.deviceName, account: account))
        }
        return .init(groupId: reply.groupId)
    }

    package func linkedDevices(
        _ call: AccessAPI.LinkedDevices, for app: AppIdentity
    ) async throws -> AccessAPI.LinkedDevices.Reply {
        let unit = try unit(of: app)
        let group = try await answer { try await linking.members(of: unit) }
        return .init(
            linked: group.linked, groupId: group.groupID,
            devices: group.linked ? group.devices.map(AppLinkedDevice.init(_:)) : [])
    }

    package func unlinkDevice(_ call: UnlinkDevice, for app: AppIdentity) async throws -> Done {
        let unit = try unit(of: app)
        let group = try await answer { try await linking.members(of: unit) }
        guard let member = group.devices.first(where: { $0.deviceID.rawValue == call.device }) else {
            throw AccessAPI.NotFound(what: "device", id: call.device)
        }
        let name = member.deviceName.map { DisplayName.cleaned($0) }
        try await actions.ask(.unlink, of: app, owner(of: unit.account.name), device: name ?? call.device)
        _ = try await answer {
            try await linking.removeDevice(.init(device: call.device, account: unit.account.name))
        }
        return Done()
    }
}

extension AppLinkedDevice {
    init(_ member: Linking.Member) {
        self.init(
            deviceId: member.deviceID.rawValue,
            deviceName: member.deviceName.map { DisplayName.cleaned($0) },
            joinedAt: member.joinedAt?.milliseconds, isPrimary: member.isPrimary,
            isCurrent: member.isCurrent)
    }
}
