import ControlAPI
import CutieAPI
import Platform

extension ControlService {
    /// Offers a link and tells how it ends, for as long as the caller waits.
    func startLink(_ call: StartLink, send: (LinkView, _ isLast: Bool) async throws -> Void) async throws {
        let unit = try accounts.only(call.account)
        let seen = ingest.head.value
        let offer = LinkOffer(try await ask(.initiateLink(), as: unit), at: surroundings.now())
        try await send(offer.view, false)
        let wait = LinkWait(offer: offer, unit: unit, ingest: ingest, surroundings: surroundings)
        let progress = try await wait.end(after: seen)
        if progress.status == .confirmed { try await take(inbox: progress.groupID, of: unit) }
        try await send(LinkView(progress, of: offer), true)
    }

    func linkStatus(_ call: LinkStatus) async throws -> LinkView {
        let token = try linkToken(call.linkToken)
        let progress = try await ask(.linkStatus(token), as: accounts.only(call.account)) { _ in
            NotFound(what: "link token", id: call.linkToken)
        }
        return LinkView(progress, of: LinkOffer(token: token, expiresAt: progress.expiresAt))
    }

    func confirmLink(_ call: ConfirmLink) async throws -> ConfirmLink.Reply {
        let unit = try accounts.only(call.account)
        let confirmation = Linking.Confirmation(
            linkToken: try linkToken(call.linkToken), deviceName: try deviceName(call.name))
        let confirmed = try await ask(.confirmLink(confirmation), as: unit) { _ in
            NotFound(what: "link token", id: call.linkToken)
        }
        guard confirmed.success else {
            throw Self.refusal(confirmed.message, hiding: Redaction([call.linkToken]))
        }
        try await take(inbox: confirmed.groupID, of: unit)
        return .init(groupId: confirmed.groupID, name: confirmation.deviceName ?? "")
    }

    /// Of several accounts, those that answer; what they do not offer they do not have.
    func linkedDevices(_ call: LinkedDevices) async throws -> LinkedDevices.Reply {
        let answers = try await groups(of: accounts.chosen(call.account))
        let devices = answers.compactMap { try? $0.result.get() }
        if devices.isEmpty, let first = answers.first { return .init(devices: try first.result.get()) }
        let silent = answers.filter { answer in
            if case .failure(let error) = answer.result { !(error is NotOffered) } else { false }
        }
        return .init(
            devices: devices.flatMap(\.self), unanswered: silent.isEmpty ? nil : silent.map(\.account))
    }

    private typealias Group = (account: String, result: Result<[DeviceView], any Error>)

    /// All are asked at once: two that hang would take longer than a person waits.
    private func groups(of units: [AccountUnit]) async throws -> [Group] {
        try await withThrowingTaskGroup(of: (Int, Group).self) { group in
            for (index, unit) in units.enumerated() {
                group.addTask { (index, await self.group(of: unit)) }
            }
            var answers: [(Int, Group)] = []
            for try await answer in group { answers.append(answer) }
            try Task.checkCancellation()
            return answers.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func group(of unit: AccountUnit) async -> Group {
        let name = unit.account.name
        do {
            let group = try await ask(.linkedDevices(), as: unit)
            let devices = group.linked ? group.devices.map { DeviceView($0, account: name) } : []
            return (name, .success(devices))
        } catch { return (name, .failure(error)) }
    }

    func removeDevice(_ call: RemoveDevice) async throws -> RemoveDevice.Reply {
        let unit = try accounts.only(call.account)
        let device = DeviceID(try word(call.device, "device"))
        let removed = try await ask(.removeLinkedDevice(device), as: unit) { _ in
            NotFound(what: "device", id: call.device)
        }
        guard removed.success else { throw Self.refusal(removed.message) }
        guard device == unit.account.credential.deviceID else { return .init() }
        try ingest.change(unit.account.id) { try $0.leaveInbox() }
        try await unit.feed.takeNewInbox(within: Self.waitLimit)
        return .init()
    }

    /// The API's words are cut as those of an error are.
    private static func refusal(_ message: String?, hiding secrets: Redaction = Redaction()) -> Refused {
        let said = APIError(status: 200, text: message.map(secrets.hide)).text
        return Refused(status: 200, reason: said ?? "it does not say why")
    }

    private func take(inbox group: String?, of unit: AccountUnit) async throws {
        try ingest.change(unit.account.id) { try $0.joinInbox(group) }
        try await unit.feed.takeNewInbox(within: Self.waitLimit)
    }

    private func linkToken(_ text: String) throws -> LinkToken { LinkToken(try word(text, "linkToken")) }

    /// What goes into the path of a request: one word, and not an endless one.
    private func word(_ text: String, _ parameter: String) throws -> String {
        guard (1...512).contains(text.utf8.count) else {
            throw InvalidArgument(parameter: parameter, reason: "it must have 1 to 512 characters")
        }
        guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }) else {
            throw InvalidArgument(parameter: parameter, reason: "it is not one word")
        }
        return text
    }

    private func deviceName(_ name: String?) throws -> String {
        let name = name ?? HostName.current
        guard name.utf8.count <= 200, name.contains(where: { !$0.isWhitespace }) else {
            throw InvalidArgument(parameter: "name", reason: "it must have 1 to 200 characters")
        }
        return name
    }
}

extension LinkView {
    init(_ progress: Linking.Progress, of offer: LinkOffer) {
        self = offer.view
        status = progress.status.rawValue
        deviceName = progress.targetDeviceName
    }
}

extension DeviceView {
    init(_ member: Linking.Member, account: String) {
        self.init(
            account: account, deviceId: member.deviceID.rawValue, deviceName: member.deviceName,
            joinedAt: member.joinedAt?.milliseconds, primary: member.isPrimary, current: member.isCurrent)
    }
}
