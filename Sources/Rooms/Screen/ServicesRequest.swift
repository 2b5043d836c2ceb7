package import ControlAPI
import Localization

/// An app asks for access to services of the person's institution.
package struct ServicesRequest: Codable, Hashable {
    /// Tells it from all others.
    package var app: String
    /// What the app calls itself.
    package var name: String
    /// What the system calls it.
    package var program: String
    /// The system vouches for that.
    package var isVerified: Bool
    package var protocols: [String]
    /// What can be chosen from, those that were used last first.
    package var services: [ServiceChoice]
    /// One service alone can be allowed.
    package var isSingle: Bool
    /// Why there is nothing to choose from; nil where there is.
    package var obstacle: Obstacle?

    package enum Obstacle: String, Codable {
        /// No account that could vouch for the person.
        case nobodySignedIn
    }

    package init(
        app: String, name: String, program: String, isVerified: Bool, protocols: [String],
        services: [ServiceChoice], isSingle: Bool, obstacle: Obstacle? = nil
    ) {
        (self.app, self.name, self.program) = (app, name, program)
        (self.isVerified, self.protocols) = (isVerified, protocols)
        self.services = services.map { choice in
            var choice = choice
            // No link has a space.
            let isOnly = services.count { $0.link == choice.link } == 1
            choice.id = isOnly ? choice.link : "\(choice.link) \(choice.account)"
            return choice
        }
        (self.isSingle, self.obstacle) = (isSingle, obstacle)
    }

    /// The person has something to choose.
    var isChoice: Bool { services.count > 1 }

    /// Those that an answer allows: the named ones, else all by the first account that knows them, or the first where
    /// it is one alone. Throws `InvalidArgument` where one is not among them, or there are more than may be.
    func chosen(_ names: [String]?) throws(InvalidArgument) -> [ServiceChoice] {
        guard let names else { return isSingle ? Array(services.prefix(1)) : services.oncePerLink }
        var chosen: [ServiceChoice] = []
        for name in names {
            // Two accounts may know the same service: its id names one of them, else the first is meant.
            let found =
                services.first { $0.id == name } ?? services.first { $0.link == name || $0.name == name }
            guard let found else {
                let known = services.map(\.name).joined(separator: ", ")
                throw InvalidArgument(
                    parameter: "services", reason: "\(name) is none of those to choose from: \(known)")
            }
            if !chosen.contains(found) { chosen.append(found) }
        }
        guard !isSingle || chosen.count < 2 else {
            throw InvalidArgument(parameter: "services", reason: "the app wants one service alone")
        }
        return chosen
    }

    var words: Question.Words {
        let verified =
            isVerified
            ? localized("The app is {program}.", ["program": program])
            : localized(
                "The program is {program}; whether it is that app could not be verified.",
                ["program": program])
        return Question.Words(
            question: localized("{app} asks for access to your services", ["app": name]),
            detail: [verified, wish].joined(separator: " "),
            allow: obstacle == nil ? localized("Allow") : localized("Close"), refuse: localized("Refuse"))
    }

    private var wish: String {
        let protocols = protocols.map(protocolWords).joined(separator: ", ")
        if obstacle == .nobodySignedIn {
            return localized(
                "It asks for: {protocols}. Nobody is signed in here who could allow it; sign in first.",
                ["protocols": protocols])
        }
        let services = services.oncePerLink.map { "\($0.name) (\($0.host))" }.joined(separator: ", ")
        return isSingle && isChoice
            ? localized(
                "It asks for: {protocols}. At one of these: {services}.",
                ["protocols": protocols, "services": services])
            : localized(
                "It asks for: {protocols}. At: {services}.", ["protocols": protocols, "services": services])
    }
}
