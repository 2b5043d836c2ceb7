import Reasons
public import Varlink

/// A Varlink interface of the control socket. `make interfaces` generates its types in `Generated`.
public protocol SocketInterface: Sendable {
    static var name: String { get }
    /// The interface definition that introspection returns.
    static var description: String { get }
    static var methods: [any ControlMethod.Type] { get }
    /// The size limit, in bytes, of parameters without an individual limit.
    static var shortLimit: Int { get }
    /// All errors of the interface. The element type is not `ControlFault`: a cast to that type at run time
    /// would search all protocol conformances of the program.
    static var faults: [any Fault.Type] { get }
}

/// All interfaces of the control socket.
public enum ControlSocket {
    public static let interfaces: [any SocketInterface.Type] = [
        ControlInterface.self, GrantsInterface.self, SignInInterface.self, StaffInterface.self,
    ]

    /// The errors of all interfaces, for clients that decode typed errors; a method may return an error of
    /// another interface.
    public static var faults: [any Fault.Type] { interfaces.flatMap { $0.faults } }
}

public protocol ControlMethod: Method {
    /// The maximum sizes, in bytes, of parameters that have an individual limit.
    static var limits: [String: Int] { get }
}

extension ControlMethod {
    public static var limits: [String: Int] { [:] }
}

public protocol ControlFault: Fault {
    /// Redeclares the requirement of `Fault` for modules that do not import `Varlink`.
    static var name: String { get }
}

/// A method that can be retried if its reply was lost. Calls with the same key are idempotent.
public protocol RepeatableMethod: ControlMethod {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

/// Size limits of parameters. The limits are checked before a parameter is decoded, because an expensive call
/// would delay all other clients of the daemon.
extension ControlSocket {
    private static let limits = Dictionary(
        uniqueKeysWithValues: interfaces.flatMap { described in
            described.methods.map { ($0.name, (own: $0.limits, other: described.shortLimit)) }
        })

    /// Returns the size limit of `parameter` in bytes. The limit applies to the content of a string, and to
    /// the JSON of any other value. `method` is fully qualified.
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
            let reason = Reason(.valueTooLong, ["limit": sizeText(error.limit)])
            throw InvalidArgument(parameter: error.parameter, reason: reason.english).with(reason)
        }
    }

    private static func sizeText(_ limit: Int) -> String {
        limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
    }
}
