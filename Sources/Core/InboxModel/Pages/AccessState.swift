public import ControlAPI
import Localization
public import Reasons

/// The page of app permissions and services, as a state machine.
public struct AccessState: PageMachine {
    public enum Input: PageInput, Hashable {
        /// The page was opened or its data changed.
        case load
        /// The user edited the text that filters the services.
        case words(String)
        /// The user edited the address at which to search for services.
        case place(String)
        case discover
        case revoke(Target)
        /// The user confirms or cancels the revocation. `forgetting`: whether to delete the message history
        /// too.
        case confirm(Bool, forgetting: Bool)
        case answered(Call, CallReply)
        case failed(Call, CallFailure)
    }

    /// An app or a service whose permission can be revoked.
    public enum Target: Hashable, Sendable {
        case app(GrantView)
        case service(ServiceView)

        /// Whether the permission is already revoked, so that only the message history can be deleted.
        public var isHistory: Bool {
            guard case .app(let grant) = self else { return false }
            return grant.isHistory
        }
    }

    public enum Call: Hashable, Sendable {
        case list
        case losses(Target)
        case revoke(Target, forgetting: Bool)
        /// Searches for services at this address; if the address is empty, in the configured index.
        case discover(String)
    }

    public enum CallReply: Hashable, Sendable {
        case listed([GrantView], [ServiceView])
        case lost([Reason])
        /// The number of services found, and the reasons why locations were not searched or services were
        /// omitted.
        case found(Int, problems: [Reason])
    }

    public enum Phase: Hashable, Sendable {
        case loading
        case ready
        /// Loading failed. The value is the error message.
        case failed(String)
    }

    /// The consequences of revoking a permission, which the user must confirm.
    public struct RevocationEffects: Hashable, Sendable {
        public let target: Target
        public let losses: [Reason]
    }

    public private(set) var phase = Phase.loading
    public private(set) var grants: [GrantView] = []
    private var allServices: [ServiceView] = []
    public private(set) var words = ""
    public private(set) var place = ""
    public private(set) var isDiscovering = false
    /// The reasons why the last search skipped locations or omitted services.
    private var problems: [Reason] = []
    /// The reasons as a bulleted list, one per line; `nil` if there are none.
    public var problemText: String? {
        let lines = problems.prefix(8).map { "• " + plainLine($0.localized, limit: 300) }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
    public private(set) var loss: RevocationEffects?
    private var listing = ListState.idle

    private enum ListState {
        case idle
        case asked
        /// The data changed while the call was in flight, so the result may be outdated, and the call must be
        /// repeated.
        case stale
    }

    public init() {}

    /// The services whose name or host matches the text in the filter field.
    public var services: [ServiceView] {
        let wanted = words.lowercased().split(whereSeparator: \.isWhitespace)
        return allServices.filter { service in
            wanted.allSatisfy {
                service.name.lowercased().contains($0) || service.host.lowercased().contains($0)
            }
        }
    }

    public var hasServices: Bool { !allServices.isEmpty }

    public mutating func handle(_ input: Input) -> [PageAction<Call, Never>] {
        switch input {
        case .load: return requestList()
        case .words(let text): words = text
        case .place(let text): place = text
        case .discover:
            guard !isDiscovering else { return [] }
            isDiscovering = true
            problems = []
            return [.call(.discover(place))]
        case .revoke(let target): return [.call(.losses(target))]
        case .confirm(let isWanted, let forgetting):
            guard let loss else { return [] }
            self.loss = nil
            let forgetting = forgetting || loss.target.isHistory
            return isWanted ? [.call(.revoke(loss.target, forgetting: forgetting))] : []
        case .answered(let call, let answer): return handleReply(answer, to: call)
        case .failed(let call, let failure): return handleFailure(failure, of: call)
        }
        return []
    }

    /// Requests the permissions. Only one call is in flight at a time, because two results could arrive in
    /// the wrong order.
    private mutating func requestList() -> [PageAction<Call, Never>] {
        listing = listing == .idle ? .asked : .stale
        return listing == .asked ? [.call(.list)] : []
    }

    /// Marks the list call as completed. Sends another list call if the received list is outdated.
    private mutating func finishListing() -> [PageAction<Call, Never>] {
        let isStale = listing == .stale
        listing = .idle
        return isStale ? requestList() : []
    }

    private mutating func handleReply(_ response: CallReply, to call: Call) -> [PageAction<Call, Never>] {
        switch (call, response) {
        case (.list, .listed(let grants, let services)):
            (phase, self.grants, allServices) = (.ready, grants, services)
            return finishListing()
        case (.losses(let target), .lost(let losses)):
            loss = RevocationEffects(target: target, losses: losses)
        case (.revoke, _): return requestList()
        case (.discover, .found(let count, let problems)):
            isDiscovering = false
            self.problems = problems
            if count > 0 { place = "" }
            let title =
                count == 0
                ? localized("No services were found.")
                : localized(
                    one: "One service was found.", other: "{count} services were found.", count: count)
            return [.showToast(title)] + requestList()
        default: break
        }
        return []
    }

    private mutating func handleFailure(_ failure: CallFailure, of call: Call) -> [PageAction<Call, Never>] {
        switch call {
        case .list:
            phase = .failed(failure.sentence)
            return finishListing()
        case .discover:
            isDiscovering = false
            return [.showToast(failure.sentence)]
        // Request the list: if the connection was lost, the daemon may have revoked the permission although
        // the call failed.
        case .losses, .revoke: return [.showToast(failure.sentence)] + requestList()
        }
    }
}

extension GrantView {
    /// Whether the permission is revoked, so that only the message history remains.
    fileprivate var isHistory: Bool { kind == Kind.feedback.rawValue && state == State.revoked.rawValue }
}

/// A row for a permission of an app, granted or denied.
public struct GrantRow: Hashable, Sendable {
    public let title: String
    public let subtitle: String
    /// The label of the button that removes the permission or the history; `nil` if there is nothing to
    /// remove.
    public let removal: String?

    public init(_ grant: GrantView, formatter: TimeFormatter) {
        title = plainLine(grant.appName, limit: 60)
        let lines = [
            grant.verified ? nil : localized("Not verified: any program can use this name."),
            Self.requestedAccessText(for: grant), Self.statusText(for: grant, formatter: formatter),
        ]
        subtitle = lines.compactMap(\.self).joined(separator: "\n")
        removal = Self.removalLabel(for: grant, appName: title)
    }

    private static func requestedAccessText(for grant: GrantView) -> String {
        guard grant.kind != GrantView.Kind.feedback.rawValue else {
            return localized("Replies from the developers of the app")
        }
        let wishes = grant.protocols.map { plainLine(protocolLabel($0), limit: 80) }.joined(separator: ", ")
        let places = grant.services.map { plainLine($0, limit: 60) }.joined(separator: ", ")
        return places.isEmpty
            ? wishes : localized("{protocols}, at {services}", ["protocols": wishes, "services": places])
    }

    private static func statusText(for grant: GrantView, formatter: TimeFormatter) -> String {
        let date = formatter.dateText(for: grant.decidedAt ?? grant.askedAt)
        switch GrantView.State(rawValue: grant.state) {
        case .asked: return localized("Waiting for your answer")
        case .granted:
            guard let end = grant.expiresAt else { return localized("Allowed since {date}", ["date": date]) }
            return localized(
                "Allowed since {date}, until {end}", ["date": date, "end": formatter.dateText(for: end)])
        case .refused where grant.decidedAt == nil:
            return localized("Requested on {date}; not answered in time", ["date": date])
        case .refused: return localized("Denied on {date}", ["date": date])
        case .expired: return localized("Expired")
        case .revoked where grant.isHistory:
            return localized("Revoked; conversations are still stored on this computer")
        case .revoked: return localized("Revoked")
        case nil: return plainLine(grant.state, limit: 40)
        }
    }

    private static func removalLabel(for grant: GrantView, appName name: String) -> String? {
        switch GrantView.State(rawValue: grant.state) {
        case .granted: localized("Revoke Access for {app}", ["app": name])
        case .refused where grant.decidedAt != nil || grant.expiresAt != nil:
            localized("Allow {app} to Ask Again", ["app": name])
        case .revoked where grant.isHistory: localized("Delete Conversations of {app}", ["app": name])
        default: nil
        }
    }
}

public struct ServiceRow: Hashable, Sendable {
    public let title: String
    public let subtitle: String
    public let removal: String

    /// Creates the row of a service.
    ///
    /// - Parameter account: the title of the account; `nil` if only one account has services.
    public init(_ service: ServiceView, account: String?, formatter: TimeFormatter) {
        title = plainLine(service.name, limit: 60)
        // Limit the length, because a service such as Moodle may have hundreds of protocols.
        let wishes = plainLine(service.protocols.map(protocolLabel).joined(separator: ", "), limit: 240)
        let used = service.usedAt.map {
            localized("Last used on {date}", ["date": formatter.dateText(for: $0)])
        }
        let lines = [
            [service.host, account].compactMap(\.self).joined(separator: " · "),
            wishes.isEmpty ? nil : wishes,
            service.authorized ? used ?? localized("This computer has access") : nil,
        ]
        subtitle =
            (lines.compactMap(\.self)
            + Self.formattedProblems(
                decodeReasons(from: service.unusableReasons, fallbackMessages: service.unusable ?? [])))
            .joined(
                separator: "\n")
        removal = localized("Forget {service}", ["service": title])
    }
}

extension ServiceRow {
    /// Returns the reasons why protocols are unusable; at most the first three.
    private static func formattedProblems(_ reasons: [Reason]) -> [String] {
        let limit = 3
        return reasons.prefix(limit).map { plainLine($0.localized, limit: 240) }
            + (reasons.count > limit ? ["…"] : [])
    }
}

/// The selection of services in a question.
public struct ServiceSelection: Hashable, Sendable {
    public let choices: [ServiceChoice]
    /// Whether only one service can be selected.
    public let isSingle: Bool
    /// The selected services, as IDs for `AnswerQuestion`.
    public private(set) var answers: [String]

    /// Creates the selection; `nil` if the question is not about services.
    public init?(_ question: QuestionView) {
        guard let services = question.services else { return nil }
        (choices, isSingle) = (services, question.single == true)
        // If several accounts have the same service, the initial selection contains the service of only one
        // account.
        answers = (isSingle ? Array(services.prefix(1)) : services.uniquedByLink).map(\.selectionID)
    }

    public mutating func setChoice(_ choice: ServiceChoice, isSelected: Bool) {
        if isSingle {
            if isSelected { answers = [choice.selectionID] }
        } else {
            answers.removeAll { $0 == choice.selectionID }
            if isSelected { answers.append(choice.selectionID) }
        }
    }

    public func contains(_ choice: ServiceChoice) -> Bool { answers.contains(choice.selectionID) }

    /// Whether the user may answer "allow": at least one service is selected, or the question offers no
    /// services. If the question offers no services, the answer only closes the question.
    public var canAllow: Bool { choices.isEmpty || !answers.isEmpty }

    /// Returns the label of a choice.
    ///
    /// - Parameter accountTitle: returns the title of an account.
    public func label(of choice: ServiceChoice, accountTitle: (String) -> String) -> String {
        let isOneOfSeveral = Set(choices.map(\.account)).count > 1
        let parts = [
            plainLine(choice.name, limit: 60), plainLine(choice.host, limit: 80),
            isOneOfSeveral ? plainLine(accountTitle(choice.account), limit: 40) : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }
}
