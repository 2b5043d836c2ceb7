extension AuthorizeProtocols {
    /// Checks the number and the length of the protocol names. `AccessInterface.checkLimits` only checks the
    /// size of the whole list, because it runs before the list is decoded.
    public func checkProtocols() throws(InvalidArgument) {
        let most = Self.protocolsLimit
        if protocols.isEmpty { throw InvalidArgument(parameter: "protocols", reason: "it is empty") }
        guard protocols.count <= most else {
            throw InvalidArgument(parameter: "protocols", reason: "it has more than \(most) names")
        }
        for (index, name) in protocols.enumerated() {
            let parameter = "protocols[\(index)]"
            if name.isEmpty { throw InvalidArgument(parameter: parameter, reason: "it is empty") }
            guard name.utf8.count <= AccessInterface.shortLimit else {
                throw InvalidArgument(parameter: parameter, limit: AccessInterface.shortLimit)
            }
        }
    }
}

extension AuthorizeProtocols {
    /// The identity that the app claims in the call. The system has not verified it.
    public struct App: Hashable, Sendable {
        public var clientID: String
        public var id: String
        public var name: String
    }

    /// Returns the identity that the app claims. Each value has two parameter names: one of this interface
    /// and one of the NAIL protocol.
    ///
    /// - Throws: `InvalidArgument` if a value is missing or if the two parameters have different values.
    public func decodeApp() throws(InvalidArgument) -> App {
        App(
            clientID: try Self.consistentValue("clientId", clientId, client_id),
            id: try Self.consistentValue("appId", appId, app_id),
            name: try Self.consistentValue("appName", appName, app_name))
    }

    private static func consistentValue(
        _ parameter: String, _ ours: String?, _ other: String?
    ) throws(InvalidArgument) -> String {
        guard let value = ours ?? other else {
            throw InvalidArgument(parameter: parameter, reason: "it is missing")
        }
        guard other == nil || other == value else {
            throw InvalidArgument(parameter: parameter, reason: "it is given twice, with different values")
        }
        return value
    }
}
