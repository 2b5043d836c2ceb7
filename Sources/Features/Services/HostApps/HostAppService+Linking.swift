import CutieAPI
package import Domain
import Notifications

// MARK: - Sharing an app's conversations with other devices

extension HostAppService {
    /// Joins the inbox of the device that offers a link, after the user has agreed. Returns the group ID.
    package func confirmLink(
        _ token: String, deviceName: String?, for app: AppIdentity, using linking: LinkingService
    ) async throws -> String? {
        let account = try findAccountName(of: app)
        try await requirePermission(for: .link, of: app)
        return try await linking.confirmLink(token: token, deviceName: deviceName, account: account).group
    }

    /// Removes a device from the inbox, after the user has agreed.
    package func unlinkDevice(
        _ id: String, for app: AppIdentity, using linking: LinkingService
    ) async throws {
        let account = try findAccountName(of: app)
        let group = try await linking.fetchGroup(account: account)
        guard let member = group.devices.first(where: { $0.deviceID.rawValue == id }) else {
            throw ServiceError.notFound(what: "device", id: id)
        }
        let name = member.deviceName.map { DisplayName.cleaned($0) }
        try await requirePermission(
            for: .unlink, of: app, device: .init(id: member.deviceID, name: name ?? id))
        try await linking.removeDevice(id, account: account)
    }
}
