extension AuthorizeProtocols {
    /// Checks the number and the length of the protocol names.
    /// `AccessInterface.checkParameterSizes` runs before the list is decoded, so that function only
    /// checks the size of the whole list.
    public func checkProtocolNames() throws(InvalidArgument) {
        let most = Self.protocolsLimit
        if protocols.isEmpty { throw InvalidArgument.emptyValueError(forParameter: "protocols") }
        guard protocols.count <= most else {
            throw InvalidArgument(
                parameter: "protocols", reason: "the list has more than \(most) names",
                reasonCode: "too_many_names", reasonArguments: ["count": String(most)])
        }
        for (index, name) in protocols.enumerated() {
            let parameter = "protocols[\(index)]"
            if name.isEmpty { throw InvalidArgument.emptyValueError(forParameter: parameter) }
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
    public func requireClaimedApp() throws(InvalidArgument) -> App {
        App(
            clientID: try Self.consistentValue(
                forParameter: "clientId", value: clientId, nailValue: client_id),
            id: try Self.consistentValue(forParameter: "appId", value: appId, nailValue: app_id),
            name: try Self.consistentValue(forParameter: "appName", value: appName, nailValue: app_name))
    }

    private static func consistentValue(
        forParameter parameter: String, value first: String?, nailValue second: String?
    ) throws(InvalidArgument) -> String {
        guard let value = first ?? second else {
            throw InvalidArgument(
                parameter: parameter, reason: "the value is missing", reasonCode: "value_missing",
                reasonArguments: [:])
        }
        guard second == nil || second == value else {
            throw InvalidArgument(
                parameter: parameter, reason: "the value is specified twice, with different contents",
                reasonCode: "value_contradictory", reasonArguments: [:])
        }
        return value
    }
}
