extension AuthorizeProtocols {
    /// Checks the number and length of the names, which `AccessInterface.checkLimits` cannot do before the
    /// list is decoded.
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
                let reason = AccessInterface.reason(ofLimit: AccessInterface.shortLimit)
                throw InvalidArgument(parameter: parameter, reason: reason)
            }
        }
    }
}
