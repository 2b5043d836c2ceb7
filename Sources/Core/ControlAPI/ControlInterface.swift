public import Varlink

/// A Varlink interface of the control socket. `Generated` has its types, which `make interfaces` writes.
public protocol SocketInterface: Sendable {
    static var name: String { get }
    /// The interface definition that introspection returns.
    static var description: String { get }
    static var methods: [any ControlMethod.Type] { get }
    /// The size limit of parameters that have no other one, in bytes.
    static var shortLimit: Int { get }
    /// All errors of the interface. The element type is not `ControlFault`, because a cast to it at run time
    /// would search all protocol conformances of the program.
    static var faults: [any Fault.Type] { get }
}

/// All interfaces of the control socket.
public enum ControlSocket {
    public static let interfaces: [any SocketInterface.Type] = [
        ControlInterface.self, GrantsInterface.self, SignInInterface.self, StaffInterface.self,
    ]

    /// The errors of all interfaces, for clients that decode typed errors: a method may return an error of
    /// another interface.
    public static var faults: [any Fault.Type] { interfaces.flatMap { $0.faults } }
}

/// A method of the control socket.
public protocol ControlMethod: Method {
    /// The size limits of parameters that have one of their own, in bytes.
    static var limits: [String: Int] { get }
}

extension ControlMethod {
    public static var limits: [String: Int] { [:] }
}

/// An error of the control socket.
public protocol ControlFault: Fault {
    /// The requirement of `Fault`, for modules that do not import `Varlink`.
    static var name: String { get }
}

/// A method that can be retried if its reply was lost. Calls with the same key are idempotent.
public protocol RepeatableMethod: ControlMethod {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

/// The size limits of parameters. They are checked before a parameter is decoded, because an expensive call
/// delays all other clients of the daemon.
extension ControlSocket {
    private static let limits = Dictionary(
        uniqueKeysWithValues: interfaces.flatMap { described in
            described.methods.map { ($0.name, (own: $0.limits, other: described.shortLimit)) }
        })

    /// Returns the size limit of `parameter`: the bytes of its text, or of its JSON if it is not a string.
    /// `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        guard let limits = limits[method] else { return ControlInterface.shortLimit }
        return limits.own[parameter] ?? limits.other
    }

    /// Checks the size of all parameters.
    ///
    /// - Throws: `InvalidArgument` for the first parameter that exceeds its limit.
    public static func checkLimits(of call: Call) throws(InvalidArgument) {
        do throws(OversizedParameter) {
            try call.refuseParameters { limit(of: $0, in: call.method) }
        } catch {
            let reason = "it is longer than \(words(error.limit))"
            throw InvalidArgument(parameter: error.parameter, reason: reason)
        }
    }

    private static func words(_ limit: Int) -> String {
        limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
    }
}
