package import Accounts
package import CutieAPI
import Domain
package import EventLog
import Platform
import Reasons
import Store

/// Links devices, so that they share one inbox.
package struct LinkingService {
    private let ingest: Ingest
    private let accounts: AccountRegistry
    private let runtime: RuntimeEnvironment

    package init(ingest: Ingest, accounts: AccountRegistry, runtime: RuntimeEnvironment) {
        (self.ingest, self.accounts, self.runtime) = (ingest, accounts, runtime)
    }

    /// Creates an offer. The caller polls the progress of the offer with `fetchProgressAndJoin`. `expiresAt`:
    /// the expiry time according to the local clock.
    package func createOffer(
        account: String?
    ) async throws -> (offer: Linking.Offer, expiresAt: Timestamp?) {
        let offer = try await accounts.findSingleAccount(named: account).fetchDecodedResponse(
            from: .initiateLink(), in: runtime)
        return (offer, LinkOffer(offer, at: runtime.now()).expiresAt)
    }

    /// Returns the progress of an offer of `account`. If another device has confirmed the offer, this device
    /// joins the shared inbox.
    package func fetchProgressAndJoin(ofOffer text: String, account: String?) async throws -> Linking.Progress
    {
        let unit = try accounts.findSingleAccount(named: account)
        let progress = try await unit.fetchDecodedResponse(
            from: .linkStatus(of: try parseLinkToken(text)), in: runtime
        ) {
            _ in
            .notFound(what: "link token", id: text)
        }
        if progress.status == .confirmed { try await recordJoin(toInbox: progress.groupID, by: unit) }
        return progress
    }

    /// Returns the devices that share the inbox of an account.
    package func fetchGroup(account: String?) async throws -> Linking.Group {
        try await accounts.findSingleAccount(named: account).fetchDecodedResponse(
            from: .linkedDevices(), in: runtime)
    }

    /// Creates an offer, passes the offer to `onOffer`, and waits until another device answers the offer. If
    /// the other device has confirmed the offer, this device joins the shared inbox.
    package func createOfferAndWait(
        account: String?, onOffer: (LinkOffer) async throws -> Void
    ) async throws -> (offer: LinkOffer, progress: Linking.Progress) {
        let unit = try accounts.findSingleAccount(named: account)
        let seen = ingest.head.value
        let offer = LinkOffer(
            try await unit.fetchDecodedResponse(from: .initiateLink(), in: runtime), at: runtime.now())
        try await onOffer(offer)
        let wait = LinkConfirmationWaiter(offer: offer, unit: unit, ingest: ingest, runtime: runtime)
        let progress = try await wait.waitForConfirmation(after: seen)
        if progress.status == .confirmed { try await recordJoin(toInbox: progress.groupID, by: unit) }
        return (offer, progress)
    }

    /// Returns the progress of an offer.
    package func fetchProgress(
        ofOffer text: String, account: String?
    ) async throws -> (offer: LinkOffer, progress: Linking.Progress) {
        let token = try parseLinkToken(text)
        let progress = try await accounts.findSingleAccount(named: account).fetchDecodedResponse(
            from: .linkStatus(of: token), in: runtime
        ) { _ in .notFound(what: "link token", id: text) }
        return (LinkOffer(token: token, expiresAt: progress.expiresAt), progress)
    }

    /// Joins the inbox of the device that offers the link. Returns the group ID and the name of this device
    /// in the group.
    package func confirmLink(
        token text: String, deviceName: String?, account: String?
    ) async throws -> (group: String?, name: String) {
        let unit = try accounts.findSingleAccount(named: account)
        let token = try parseLinkToken(text)
        let name = try checkedDeviceName(deviceName)
        let confirmation = Linking.Confirmation(linkToken: token, deviceName: name)
        return try await unit.linking.run {
            let confirmed = try await unit.fetchDecodedResponse(from: .confirmLink(confirmation), in: runtime)
            {
                _ in
                .notFound(what: "link token", id: text)
            }
            guard confirmed.success else {
                throw Self.makeRefusalError(message: confirmed.message, hiding: Redaction([text]))
            }
            try await recordJoin(toInbox: confirmed.groupID, by: unit)
            return (confirmed.groupID, name)
        }
    }

    /// The devices of one account's inbox.
    package struct DeviceGroup: Sendable {
        package let account: String
        package let devices: [Linking.Member]
    }

    /// Returns the devices of the accounts, and the names of the accounts whose query failed. Omits
    /// accounts whose API does not support links. Throws the error of the first account if no query
    /// succeeded.
    package func fetchDevices(
        account: String?
    ) async throws -> (groups: [DeviceGroup], unanswered: [String]) {
        let answers = try await fetchGroups(of: accounts.findAccounts(named: account))
        let groups = answers.compactMap { try? $0.result.get() }
        if groups.isEmpty, let first = answers.first { return ([try first.result.get()], []) }
        let silent = answers.filter { answer in
            switch answer.result {
            case .success, .failure(ServiceError.notOffered): false
            case .failure: true
            }
        }
        return (groups, silent.map(\.account))
    }

    private typealias GroupResult = (account: String, result: Result<DeviceGroup, any Error>)

    /// Queries all accounts concurrently, so that several timeouts do not add up.
    private func fetchGroups(of units: [AccountUnit]) async throws -> [GroupResult] {
        try await withThrowingTaskGroup(of: (Int, GroupResult).self) { group in
            for (index, unit) in units.enumerated() {
                group.addTask { (index, await self.fetchGroup(of: unit)) }
            }
            var answers: [(Int, GroupResult)] = []
            for try await answer in group { answers.append(answer) }
            try Task.checkCancellation()
            return answers.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func fetchGroup(of unit: AccountUnit) async -> GroupResult {
        let name = unit.account.name
        do {
            let group = try await unit.fetchDecodedResponse(from: .linkedDevices(), in: runtime)
            let devices = group.linked ? group.devices : []
            return (name, .success(DeviceGroup(account: name, devices: devices)))
        } catch { return (name, .failure(error)) }
    }

    /// Removes a device from the inbox. If `id` is the ID of this device, deletes the history of the shared
    /// inbox and fetches the device's own conversations.
    package func removeDevice(_ id: String, account: String?) async throws {
        let unit = try accounts.findSingleAccount(named: account)
        let device = DeviceID(try checkedPathComponent(id, parameter: "device"))
        try await unit.linking.run {
            let removed = try await unit.fetchDecodedResponse(from: .removeLinkedDevice(device), in: runtime)
            {
                _ in
                .notFound(what: "device", id: id)
            }
            guard removed.success else { throw Self.makeRefusalError(message: removed.message) }
            guard device == unit.account.device?.id else { return }
            try ingest.performChange(on: unit.account.id) { try $0.deleteHistoryAfterRemovalFromInbox() }
            try await unit.feed.synchronizeNewInbox(within: AccountUnit.queuedLimit)
        }
    }

    /// Returns an error with the API's message, truncated in the same way as for an HTTP error.
    private static func makeRefusalError(message: String?, hiding secrets: Redaction = Redaction())
        -> ServiceError
    {
        let said = APIError(status: 200, text: message.map(secrets.redactingSecrets)).text
        return ServiceError.refused(status: 200, reason: said.map(Reason.text) ?? Reason(.noReasonGiven))
    }

    private func recordJoin(toInbox group: String?, by unit: AccountUnit) async throws {
        try ingest.performChange(on: unit.account.id) { try $0.recordInboxID(group) }
        try await unit.feed.synchronizeNewInbox(within: AccountUnit.queuedLimit)
    }

    private func parseLinkToken(_ text: String) throws -> LinkToken {
        LinkToken(try checkedPathComponent(text, parameter: "linkToken"))
    }

    /// Returns `text` if it can be a path component of a request: 1 to 512 printable ASCII characters.
    /// Otherwise throws `invalidArgument`.
    private func checkedPathComponent(_ text: String, parameter: String) throws -> String {
        guard (1...512).contains(text.utf8.count) else {
            throw ServiceError.invalidArgument(
                parameter: parameter, reason: Reason(.charactersOutOfRange, ["most": "512"]))
        }
        guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }) else {
            throw ServiceError.invalidArgument(parameter: parameter, reason: Reason(.spacesNotAllowed))
        }
        return text
    }

    private func checkedDeviceName(_ name: String?) throws -> String {
        let name = name ?? HostName.current
        guard name.utf8.count <= 200, DisplayName.isReadable(name) else {
            throw ServiceError.invalidArgument(
                parameter: "name",
                reason: Reason(.lineRequired, ["limit": "200"]))
        }
        return name
    }
}
