import Accounts
import ControlAPI
import CutieAPI
import EventLog
import Platform
import Store
import VarlinkSocket

/// The handlers for devices that share one inbox.
struct LinkingMethods: ControlMethods {
    let ingest: Ingest
    let accounts: AccountRegistry
    let surroundings: RuntimeEnvironment

    var implementation: Implementation {
        Implementation()
            .onStream(StartLink.self) { call, replies in
                try await startLink(call.parameters) { try await replies.send($0, continues: !$1) }
            }
            .on(confirmLink).on(linkStatus).on(linkedDevices).on(removeDevice)
    }

    /// Offers a link and sends its result, as long as the caller stays connected.
    func startLink(_ call: StartLink, send: (LinkView, _ isLast: Bool) async throws -> Void) async throws {
        let unit = try accounts.single(call.account)
        let seen = ingest.head.value
        let offer = LinkOffer(
            try await unit.answer(to: .initiateLink(), in: surroundings), at: surroundings.now())
        try await send(offer.view, false)
        let wait = LinkConfirmationWait(offer: offer, unit: unit, ingest: ingest, surroundings: surroundings)
        let progress = try await wait.end(after: seen)
        if progress.status == .confirmed { try await join(inbox: progress.groupID, of: unit) }
        try await send(LinkView(progress, of: offer), true)
    }

    /// Offers a link whose progress the caller polls.
    func offer(of unit: AccountUnit) async throws -> Linking.Offer {
        try await unit.answer(to: .initiateLink(), in: surroundings)
    }

    /// Returns the progress of an offered link. A confirmed one makes this device join the inbox.
    func progress(of token: String, joining unit: AccountUnit) async throws -> Linking.Progress {
        let progress = try await unit.answer(to: .linkStatus(try linkToken(token)), in: surroundings) { _ in
            NotFound(what: "link token", id: token)
        }
        if progress.status == .confirmed { try await join(inbox: progress.groupID, of: unit) }
        return progress
    }

    /// Returns the devices that share the inbox of an account.
    func members(of unit: AccountUnit) async throws -> Linking.Group {
        try await unit.answer(to: .linkedDevices(), in: surroundings)
    }

    func linkStatus(_ call: LinkStatus) async throws -> LinkView {
        let token = try linkToken(call.linkToken)
        let progress = try await accounts.single(call.account).answer(
            to: .linkStatus(token), in: surroundings
        ) { _ in
            NotFound(what: "link token", id: call.linkToken)
        }
        return LinkView(progress, of: LinkOffer(token: token, expiresAt: progress.expiresAt))
    }

    func confirmLink(_ call: ConfirmLink) async throws -> ConfirmLink.Reply {
        let unit = try accounts.single(call.account)
        let confirmation = Linking.Confirmation(
            linkToken: try linkToken(call.linkToken), deviceName: try deviceName(call.name))
        return try await unit.linking.run {
            let confirmed = try await unit.answer(to: .confirmLink(confirmation), in: surroundings) { _ in
                NotFound(what: "link token", id: call.linkToken)
            }
            guard confirmed.success else {
                throw Self.refusal(confirmed.message, hiding: Redaction([call.linkToken]))
            }
            try await join(inbox: confirmed.groupID, of: unit)
            return .init(groupId: confirmed.groupID, name: confirmation.deviceName ?? "")
        }
    }

    /// Returns the devices of several accounts. An account whose API does not respond is skipped; one whose
    /// API does not offer links has no devices.
    func linkedDevices(_ call: LinkedDevices) async throws -> LinkedDevices.Reply {
        let answers = try await groups(of: accounts.matching(call.account))
        let devices = answers.compactMap { try? $0.result.get() }
        if devices.isEmpty, let first = answers.first { return .init(devices: try first.result.get()) }
        let silent = answers.filter { answer in
            if case .failure(let error) = answer.result { !(error is NotOffered) } else { false }
        }
        return .init(
            devices: devices.flatMap(\.self), unanswered: silent.isEmpty ? nil : silent.map(\.account))
    }

    private typealias Group = (account: String, result: Result<[DeviceView], any Error>)

    /// Queries all accounts concurrently, so that several timeouts do not add up.
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
            let group = try await unit.answer(to: .linkedDevices(), in: surroundings)
            let devices = group.linked ? group.devices.map { DeviceView($0, account: name) } : []
            return (name, .success(devices))
        } catch { return (name, .failure(error)) }
    }

    func removeDevice(_ call: RemoveDevice) async throws -> RemoveDevice.Reply {
        let unit = try accounts.single(call.account)
        let device = DeviceID(try word(call.device, "device"))
        return try await unit.linking.run {
            let removed = try await unit.answer(to: .removeLinkedDevice(device), in: surroundings) { _ in
                NotFound(what: "device", id: call.device)
            }
            guard removed.success else { throw Self.refusal(removed.message) }
            guard device == unit.account.device?.id else { return .init() }
            try ingest.change(unit.account.id) { try $0.leaveInbox() }
            try await unit.feed.synchronizeNewInbox(within: ControlService.sendingLimit)
            return .init()
        }
    }

    /// Returns the error with the API's message, truncated like that of an HTTP error.
    private static func refusal(_ message: String?, hiding secrets: Redaction = Redaction()) -> Refused {
        let said = APIError(status: 200, text: message.map(secrets.redact)).text
        return Refused(status: 200, reason: said ?? "no reason given")
    }

    private func join(inbox group: String?, of unit: AccountUnit) async throws {
        try ingest.change(unit.account.id) { try $0.joinInbox(group) }
        try await unit.feed.synchronizeNewInbox(within: ControlService.sendingLimit)
    }

    private func linkToken(_ text: String) throws -> LinkToken { LinkToken(try word(text, "linkToken")) }

    /// Checks a path component of a request: one word of limited length.
    private func word(_ text: String, _ parameter: String) throws -> String {
        guard (1...512).contains(text.utf8.count) else {
            throw InvalidArgument(parameter: parameter, reason: "it must have 1 to 512 characters")
        }
        guard text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value < 0x7F }) else {
            throw InvalidArgument(parameter: parameter, reason: "it must not contain spaces")
        }
        return text
    }

    private func deviceName(_ name: String?) throws -> String {
        let name = name ?? HostName.current
        guard name.utf8.count <= 200, DisplayName.isReadable(name) else {
            throw InvalidArgument(
                parameter: "name",
                reason: "it must be 1 to 200 bytes on one line, without invisible characters")
        }
        return name
    }
}

extension LinkView {
    init(_ progress: Linking.Progress, of offer: LinkOffer) {
        self = offer.view
        status = progress.status.rawValue
        deviceName = progress.targetDeviceName.map { DisplayName.cleaned($0) }
    }
}

extension DeviceView {
    init(_ member: Linking.Member, account: String) {
        self.init(
            account: account, deviceId: member.deviceID.rawValue,
            deviceName: member.deviceName.map { DisplayName.cleaned($0) },
            joinedAt: member.joinedAt?.milliseconds, primary: member.isPrimary, current: member.isCurrent)
    }
}

/// A link that another device can confirm.
struct LinkOffer {
    let token: LinkToken
    /// The expiry by the local clock.
    let expiresAt: Timestamp?

    init(token: LinkToken, expiresAt: Timestamp?) {
        (self.token, self.expiresAt) = (token, expiresAt)
    }

    /// Converts the expiry to the local clock by the remaining lifetime, because the server's clock may
    /// differ.
    init(_ offer: Linking.Offer, at now: Timestamp) {
        let remainingTime = offer.expiresIn.map { Duration.seconds(max(0, min($0, 86_400))) }
        self.init(token: offer.linkToken, expiresAt: remainingTime.map { now + $0 } ?? offer.expiresAt)
    }

    /// The state of the link before it is confirmed or expires.
    var view: LinkView {
        LinkView(
            linkToken: token.rawValue, expiresAt: expiresAt?.milliseconds,
            status: Linking.State.pending.rawValue)
    }
}

/// The wait until a link is confirmed or expires. It polls, and queries immediately after an event about a
/// linked device.
struct LinkConfirmationWait {
    private static let pollInterval: Duration = .seconds(3)
    /// The lifetime of a token if the service does not report it.
    private static let maxDuration: Duration = .seconds(600)

    let offer: LinkOffer
    let unit: AccountUnit
    let ingest: Ingest
    let surroundings: RuntimeEnvironment

    /// Waits for the result.
    ///
    /// - Parameter sequence: the newest log entry when the link was offered.
    /// - Throws: an error for the client.
    func end(after sequence: Int64) async throws -> Linking.Progress {
        let deadline = surroundings.uptime + remainingTime
        var seen = sequence
        while true {
            let isOver = surroundings.uptime >= deadline
            if let progress = try await ask(), progress.status != .pending { return progress }
            if isOver { return Linking.Progress(status: .expired) }
            let pause = min(Self.pollInterval, max(.zero, deadline - surroundings.uptime))
            let known = seen
            seen = try await surroundings.withTimeout(pause) { try await deviceLinked(after: known) } ?? seen
        }
    }

    private var remainingTime: Duration {
        offer.expiresAt.map(surroundings.wait(until:)) ?? Self.maxDuration
    }

    /// Returns `nil` if the request should be retried. A token that the server no longer knows has expired.
    private func ask() async throws -> Linking.Progress? {
        do {
            return try await unit.feed.client.send(.linkStatus(offer.token))
        } catch .retry {
            return nil
        } catch .absent {
            return Linking.Progress(status: .expired)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw error.fault(about: nil)
        }
    }

    /// Returns the sequence of the next entry about a linked device.
    private func deviceLinked(after sequence: Int64) async throws -> Int64 {
        var seen = sequence
        while true {
            try await ingest.head.waitUntilPast(seen)
            let entries = try ingest.store.read { try $0.log.entries(after: seen, limit: 100) }
            if let linked = entries.first(where: { $0.kind == .deviceLinked && $0.account == account }) {
                return linked.sequence
            }
            seen = entries.last?.sequence ?? ingest.head.value
        }
    }

    private var account: AccountID { unit.account.id }
}
