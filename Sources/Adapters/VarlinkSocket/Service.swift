public import Varlink

/// The Varlink interfaces of a socket, and the handlers of their methods. The service also implements the
/// interface `org.varlink.service`.
public struct Service: Sendable {
    private let interfaces: [String: VarlinkInterface]
    /// The handlers by fully qualified method name.
    private let handlers: [String: Implementation.Handler]
    private let admit: @Sendable (Call, Peer) async throws -> Void
    private let fault: @Sendable (any Error) -> any Fault

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - information: the vendor and the product. The names of the interfaces are added.
    ///   - allowsMissing: whether methods may have no handler. A call of such a method fails with
    ///     `MethodNotImplemented`.
    ///   - admit: throws a fault if the peer is not allowed to make the call. Called before the parameters
    ///     are decoded.
    ///   - fault: converts an error that is not a `Fault` to the fault for the reply.
    /// - Throws: `ServiceMismatch` if the implementations do not match the interfaces.
    public init(
        information: ServiceInterface.GetInfo.Reply, interfaces: [VarlinkInterface],
        implementations: [Implementation], allowsMissing: Bool = false,
        admitting admit: @escaping @Sendable (Call, Peer) async throws -> Void = { _, _ in },
        fault: @escaping @Sendable (any Error) -> any Fault
    ) throws {
        let described = [try VarlinkInterface(parsing: ServiceInterface.description)] + interfaces
        let introspection = Self.makeIntrospection(of: described, information: information)
        self.interfaces = Dictionary(described.map { ($0.name, $0) }) { _, last in last }
        handlers = try Self.collectHandlers(
            for: described, from: [introspection] + implementations, allowsMissingHandlers: allowsMissing)
        (self.admit, self.fault) = (admit, fault)
    }

    private static func makeIntrospection(
        of interfaces: [VarlinkInterface], information: ServiceInterface.GetInfo.Reply
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

    private static func collectHandlers(
        for interfaces: [VarlinkInterface], from implementations: [Implementation],
        allowsMissingHandlers: Bool
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
        guard allowsMissingHandlers || missing.isEmpty else { throw .notImplemented(methods: missing) }
        return handlers
    }

    /// Returns the handler for `call`. Throws a fault if the call is not allowed or its method does not
    /// exist.
    func findHandler(for call: Call, from peer: Peer) async throws -> Implementation.Handler {
        guard let dot = call.method.lastIndex(of: ".") else { throw InvalidParameter(parameter: "method") }
        let (interface, name) = (String(call.method[..<dot]), call.method[dot...].dropFirst())
        guard let interface = interfaces[interface] else { throw InterfaceNotFound(interface: interface) }
        guard let method = interface.methods.first(where: { $0.name == name }) else {
            throw MethodNotFound(method: call.method)
        }
        guard let handler = handlers[call.method] else { throw MethodNotImplemented(method: call.method) }
        guard !call.wantsUpgrade else { throw InvalidParameter(parameter: "upgrade") }
        if case .stream = handler, !call.wantsMore { throw ExpectedMore() }
        try call.rejectParameters(notIn: Set(method.input.map(\.name)))
        try await admit(call, peer)
        return handler
    }

    /// Converts an error that a handler threw to a reply.
    func makeReply(for error: any Error) -> Reply {
        let fault = (error as? any Fault) ?? fault(error)
        return Reply(fault: fault)
    }
}

/// The reason why the implementations of a service do not match its interfaces. Method names are fully
/// qualified.
public enum ServiceMismatch: Error, Hashable, CustomStringConvertible {
    /// No interface declares the method.
    case notDescribed(method: String)
    case implementedTwice(method: String)
    case notImplemented(methods: [String])

    public var description: String {
        switch self {
        case .notDescribed(let method): "no interface describes \(method); add it to its interface file"
        case .implementedTwice(let method): "\(method) has two handlers; remove one"
        case .notImplemented(let methods):
            "no handler for \(methods.joined(separator: ", ")); add a handler for each"
        }
    }
}
