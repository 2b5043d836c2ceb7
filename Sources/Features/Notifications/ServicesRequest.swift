import Domain
import Localization
import Reasons

/// An app's request for access to services of the user's institution.
package struct ServicesRequest: Codable, Hashable {
    /// The unique ID of the app.
    package var app: String
    /// The name that the app reports.
    package var name: String
    /// The name of the program as the system reports it.
    package var program: String
    /// Whether the system verified `program`.
    package var isVerified: Bool
    package var protocols: [String]
    /// The available services, most recently used first.
    package var services: [OfferedService]
    /// Whether only one service can be allowed.
    package var isSingle: Bool
    /// The reason why no service is available; `nil` if there are services.
    package var obstacle: Obstacle?

    /// The reason why no service can be offered.
    package enum Obstacle: String, Codable {
        /// No account is signed in that could identify the user to a service.
        case nobodySignedIn
    }

    package init(
        app: String, name: String, program: String, isVerified: Bool, protocols: [String],
        services: [OfferedService], isSingle: Bool, obstacle: Obstacle? = nil
    ) {
        (self.app, self.name, self.program) = (app, name, program)
        (self.isVerified, self.protocols) = (isVerified, protocols)
        self.services = services.map { choice in
            var choice = choice
            // An ID that consists of link and account is unambiguous, because a link contains no space.
            let isOnly = services.count { $0.link == choice.link } == 1
            choice.id = isOnly ? choice.link : "\(choice.link) \(choice.account)"
            return choice
        }
        (self.isSingle, self.obstacle) = (isSingle, obstacle)
    }

    /// Whether the user has a choice.
    var isChoice: Bool { services.count > 1 }

    /// Returns the offered services that the user selected. An answer without names selects each service
    /// for the first
    /// account that has the service, or only the first service if `isSingle` is true.
    ///
    /// - Throws: `invalidArgument` if a name is unknown, or if several services are named although `isSingle`
    ///   is true.
    func offeredServices(named names: [String]?) throws(ServiceError) -> [OfferedService] {
        guard let names else { return isSingle ? Array(services.prefix(1)) : services.uniquedByLink }
        var chosen: [OfferedService] = []
        for name in names {
            // If two accounts have the same service, its ID selects one of them; a link or name selects the
            // service of the first account.
            let found =
                services.first { $0.id == name } ?? services.first { $0.link == name || $0.name == name }
            guard let found else {
                let known = services.map(\.name).joined(separator: ", ")
                throw ServiceError.invalidArgument(
                    parameter: "services",
                    reason: Reason(.serviceNotAChoice, ["name": name, "choices": known]))
            }
            if !chosen.contains(found) { chosen.append(found) }
        }
        guard !isSingle || chosen.count < 2 else {
            throw ServiceError.invalidArgument(
                parameter: "services", reason: Reason(.onlyOneService))
        }
        return chosen
    }

    var text: Question.Text {
        Question.Text(
            Reason(.askServices, ["app": name]),
            detail: [HostAppRequest.makeReason(naming: program, isVerified: isVerified), requestSentence],
            allow: obstacle == nil ? .allow : .close, refuse: .deny)
    }

    private var requestSentence: Reason {
        let protocols = Reason.enumeration(of: protocols.map(Self.displayName)) ?? .text("")
        if obstacle == .nobodySignedIn {
            return Reason(.servicesWithoutSession, reasons: ["protocols": protocols])
        }
        let services = services.uniquedByLink.map { "\($0.name) (\($0.host))" }.joined(separator: ", ")
        return Reason(
            isSingle && isChoice ? .protocolsAtOneService : .protocolsAtServices,
            reasons: ["protocols": protocols, "services": .text(services)])
    }

    /// Returns the meaning of a protocol for users; for an unknown protocol, returns its name.
    private static func displayName(ofProtocol name: String) -> Reason {
        switch name {
        case "com.cuti-e.conversations": Reason(.protocolConversations)
        case "com.cuti-e.replies": Reason(.protocolReplies)
        case "com.cuti-e.staff": Reason(.protocolStaff)
        default: .text(name)
        }
    }
}
