import Reasons
public import Varlink

/// A Varlink interface of the control socket. `make interfaces` generates its types in `Generated`.
public protocol SocketInterface: Sendable {
    static var name: String { get }
    /// The definition of the interface in Varlink's language, which introspection returns.
    static var description: String { get }
    static var methods: [any ControlMethod.Type] { get }
    /// The size limit, in bytes, of parameters without an individual limit.
    static var shortLimit: Int { get }
    /// All errors of the interface. The element type is not `ControlFault`, because casting an error to
    /// `ControlFault` at run time would search all protocol conformances of the program, which is slow.
    static var faults: [any Fault.Type] { get }
}

/// All interfaces of the control socket.
public enum ControlSocket {
    public static let interfaces: [any SocketInterface.Type] = [
        ControlInterface.self, GrantsInterface.self, SignInInterface.self, StaffInterface.self,
    ]

    /// The errors of all interfaces. A client uses all these errors to decode a response, because a method
    /// may return an error of another interface.
    public static var faults: [any Fault.Type] { interfaces.flatMap { $0.faults } }
}

public protocol ControlMethod: Method {
    /// Size limits in bytes, by parameter name. `shortLimit` of the interface applies to all other
    /// parameters.
    static var limits: [String: Int] { get }
}

extension ControlMethod {
    public static var limits: [String: Int] { [:] }
}

public protocol ControlFault: Fault {
    /// The requirement of `Fault`, redeclared so that modules that do not import `Varlink` can use `name`.
    static var name: String { get }
}

/// A method that can be retried.
public protocol RepeatableControlMethod: ControlMethod, RepeatableMethod {
    /// The requirement of `RepeatableMethod`, redeclared for modules that do not import `Varlink`.
    var idempotencyKey: String? { get set }
}

/// Size limits of parameters. The daemon checks the size of a parameter before it decodes the parameter,
/// because decoding a huge value takes a long time and would delay the calls of other clients.
extension ControlSocket {
    private static let limits = Dictionary(
        uniqueKeysWithValues: interfaces.flatMap { described in
            described.methods.map { ($0.name, (own: $0.limits, other: described.shortLimit)) }
        })

    /// Returns the size limit of `parameter` in bytes. The limit applies to the content of a string, and to
    /// the JSON of any other value. `method` is fully qualified.
    public static func sizeLimit(ofParameter parameter: String, inMethod method: String) -> Int {
        guard let limits = limits[method] else { return ControlInterface.shortLimit }
        return limits.own[parameter] ?? limits.other
    }

    /// Checks the size of all parameters.
    ///
    /// - Throws: `InvalidArgument` for the first parameter that exceeds its limit.
    public static func checkParameterSizes(of call: Call) throws(InvalidArgument) {
        do throws(OversizedParameter) {
            try call.rejectParameters { sizeLimit(ofParameter: $0, inMethod: call.method) }
        } catch {
            let reason = Reason(.valueTooLong, ["limit": sizeText(byteCount: error.limit)])
            throw InvalidArgument(parameter: error.parameter, reason: reason.english).withReasonFields(
                of: reason)
        }
    }

    private static func sizeText(byteCount limit: Int) -> String {
        limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
    }
}
