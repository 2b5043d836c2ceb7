public import Varlink

/// The Varlink interface of the control socket. Its file is the truth: the types here follow it.
public enum ControlInterface {
    public static let name = "io.cutied.Control"

    /// The interface definition, as introspection answers it.
    public static var description: String {
        String(decoding: PackageResources.io_cutied_Control_varlink, as: UTF8.self)
    }
}

/// A call of the control interface, named on the wire as its type is here.
public protocol ControlMethod: Method {}

extension ControlMethod {
    public static var name: String { ControlInterface.name + "." + typeName(Self.self) }
}

/// An error of the control interface, named on the wire as its type is here.
public protocol ControlFault: Fault {}

extension ControlFault {
    public static var name: String { ControlInterface.name + "." + typeName(Self.self) }
}

extension ControlInterface {
    /// All its errors, for a client that wants them typed.
    public static let faults: [any ControlFault.Type] = [
        Ambiguous.self, Closed.self, Failed.self, InvalidArgument.self, InvalidConfiguration.self,
        InvalidResponse.self, NotAuthorized.self, NotConfigured.self, NotFound.self, NotOffered.self,
        NotSent.self, Offline.self, Refused.self, ServerError.self,
    ]
}
