import Varlink

/// Finds what answers a call, and answers for `org.varlink.service` itself.
struct Router: Sendable {
    private let implementations: [String: Implementation]

    init(information: ServiceInterface.GetInfo.Reply, implementations: [Implementation]) throws {
        let service = Implementation(interface: try Interface(parsing: ServiceInterface.description))
        let described = [service] + implementations
        let names = described.map(\.interface.name)
        let texts = Dictionary(described.map { ($0.interface.name, $0.interface.text) }) { _, last in last }
        var information = information
        information.interfaces = names
        let introspection =
            service
            .on(ServiceInterface.GetInfo.self) { [information] _ in information }
            .on(ServiceInterface.GetInterfaceDescription.self) { call in
                guard let text = texts[call.parameters.interface] else {
                    throw InterfaceNotFound(interface: call.parameters.interface)
                }
                return .init(description: text)
            }
        self.implementations = Dictionary(
            (implementations + [introspection]).map { ($0.interface.name, $0) }
        ) { _, last in last }
    }

    /// What answers `call`; throws the fault that answers it instead.
    func handler(for call: Call) throws -> Implementation.Handler {
        guard let dot = call.method.lastIndex(of: ".") else { throw InvalidParameter(parameter: "method") }
        let (interface, name) = (call.method[..<dot], call.method[dot...].dropFirst())
        guard let implementation = implementations[String(interface)] else {
            throw InterfaceNotFound(interface: String(interface))
        }
        guard let method = implementation.interface.methods.first(where: { $0.name == name }) else {
            throw MethodNotFound(method: call.method)
        }
        guard let handler = implementation.handlers[method.name] else {
            throw MethodNotImplemented(method: call.method)
        }
        guard !call.wantsUpgrade else { throw InvalidParameter(parameter: "upgrade") }
        if case .stream = handler, !call.wantsMore { throw ExpectedMore() }
        try call.refuseParameters(notIn: Set(method.input.map(\.name)))
        try implementation.admit(call)
        return handler
    }
}
