/// The errors a caller has types for, by their names on the wire; those of `org.varlink.service` always.
public struct FaultCatalog: Sendable {
    private static let standard: [any Fault.Type] = [
        InterfaceNotFound.self, MethodNotFound.self, MethodNotImplemented.self, InvalidParameter.self,
        PermissionDenied.self, ExpectedMore.self,
    ]

    private let types: [String: any Fault.Type]

    public init(_ types: [any Fault.Type] = []) {
        let named = (Self.standard + types).map { ($0.name, $0) }
        self.types = Dictionary(named) { _, last in last }
    }

    /// The typed error, or an `UnknownFault` where there is no type or the parameters do not fit it.
    public func error(named name: String, parametersJSON: [UInt8]) -> any Error {
        if let type = types[name], let fault = try? JSON.decode(type, from: parametersJSON) { return fault }
        return UnknownFault(name: name, parametersJSON: parametersJSON)
    }
}
