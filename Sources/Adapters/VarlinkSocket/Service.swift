public import Varlink

/// What is offered at a socket: interfaces, and what answers their methods. Answers for `org.varlink.service`
/// itself.
public struct Service: Sendable {
    private let interfaces: [String: Interface]
    /// By the fully qualified names of their methods.
    private let handlers: [String: Implementation.Handler]
    private let admit: @Sendable (Call, Peer) async throws -> Void
    private let fault: @Sendable (any Error) -> any Fault

    /// Throws `ServiceMismatch` where the implementations are not those of the interfaces.
    ///
    /// - Parameters:
    ///   - information: who made the service; its interfaces are filled in.
    ///   - allowsMissing: methods without a handler answer `MethodNotImplemented`; else there may be none.
    ///   - admit: asked about each call that has a handler, and who makes it; throws the fault that answers it instead. What a
    ///     call may cost is decided before it costs it: nothing of it is decoded yet.
    ///   - fault: answers for what handlers throw that is no `Fault`.
    public init(
        information: ServiceInterface.GetInfo.Reply, interfaces: [Interface],
        implementations: [Implementation], allowsMissing: Bool = false,
        admitting admit: @escaping @Sendable (Call, Peer) async throws -> Void = { _, _ in },
        fault: @escaping @Sendable (any Error) -> any Fault
    ) throws {
        let described = [try Interface(parsing: ServiceInterface.description)] + interfaces
        let introspection = Self.introspection(of: described, information)
        self.interfaces = Dictionary(described.map { ($0.name, $0) }) { _, last in last }
        handlers = try Self.handlers(of: described, in: [introspection] + implementations, allowsMissing)
        (self.admit, self.fault) = (admit, fault)
    }

    private static func introspection(
        of interfaces: [Interface], _ information: ServiceInterface.GetInfo.Reply
    ) -> Implementation {
        let texts = Dictionary(interfaces.map { ($0.name, $0.text) }) { _, last in last }
        var information = information
        information.interfaces = interfaces.map(\.name)
        return Implementation()
            .on { [information] (_: ServiceInterface.GetInfo) in information }
            .on { (call: ServiceInterface.GetInterfaceDescription) in
                guard let text = texts[call.interface] else {
                    throw InterfaceNotFound(interface: call.interface)
                }
                return .init(description: text)
            }
    }

    private static func handlers(
        of interfaces: [Interface], in implementations: [Implementation], _ allowsMissing: Bool
    ) throws(ServiceMismatch) -> [String: Implementation.Handler] {
        let described = interfaces.flatMap { interface in
            interface.methods.map { interface.name + "." + $0.name }
        }
        var handlers: [String: Implementation.Handler] = [:]
        for (method, handler) in implementations.flatMap(\.handlers) {
            guard described.contains(method) else { throw .notDescribed(method: method) }
            guard handlers.updateValue(handler, forKey: method) == nil else {
                throw .implementedTwice(method: method)
            }
        }
        let missing = described.filter { handlers[$0] == nil }
        guard allowsMissing || missing.isEmpty else { throw .notImplemented(methods: missing) }
        return handlers
    }

    /// What answers `call`; throws the fault that answers it instead.
    func handler(for call: Call, of peer: Peer) async throws -> Implementation.Handler {
        guard let dot = call.method.lastIndex(of: ".") else { throw InvalidParameter(parameter: "method") }
        let (interface, name) = (String(call.method[..<dot]), call.method[dot...].dropFirst())
        guard let interface = interfaces[interface] else { throw InterfaceNotFound(interface: interface) }
        guard let method = interface.methods.first(where: { $0.name == name }) else {
            throw MethodNotFound(method: call.method)
        }
        guard let handler = handlers[call.method] else { throw MethodNotImplemented(method: call.method) }
        guard !call.wantsUpgrade else { throw InvalidParameter(parameter: "upgrade") }
        if case .stream = handler, !call.wantsMore { throw ExpectedMore() }
        try call.refuseParameters(notIn: Set(method.input.map(\.name)))
        try await admit(call, peer)
        return handler
    }

    /// What answers a call whose handler threw `error`.
    func reply(for error: any Error) -> Reply {
        let fault = (error as? any Fault) ?? fault(error)
        return Reply(fault: fault)
    }
}

/// The interfaces of a service and its implementations do not fit together. Methods are fully qualified.
public enum ServiceMismatch: Error, Hashable, CustomStringConvertible {
    /// No interface has it.
    case notDescribed(method: String)
    case implementedTwice(method: String)
    case notImplemented(methods: [String])

    public var description: String {
        switch self {
        case .notDescribed(let method): "no interface describes \(method); add it to its interface file"
        case .implementedTwice(let method): "\(method) has two handlers; take one away"
        case .notImplemented(let methods):
            "nothing answers \(methods.joined(separator: ", ")); give each a handler"
        }
    }
}
