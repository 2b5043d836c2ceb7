/// An error that any method of any interface may answer with, from `org.varlink.service`.
public protocol ServiceFault: Fault, Hashable {}

extension ServiceFault {
    public static var name: String { ServiceInterface.name + "." + typeName(Self.self) }
}

/// The service does not have this interface.
public struct InterfaceNotFound: ServiceFault {
    public var interface: String

    public init(interface: String) {
        self.interface = interface
    }
}

/// The interface does not have this method. `method` is fully qualified.
public struct MethodNotFound: ServiceFault {
    public var method: String

    public init(method: String) {
        self.method = method
    }
}

/// The interface has this method, the service does not do it. `method` is fully qualified.
public struct MethodNotImplemented: ServiceFault {
    public var method: String

    public init(method: String) {
        self.method = method
    }
}

/// A parameter that is missing, unknown or of another type.
public struct InvalidParameter: ServiceFault {
    public var parameter: String

    public init(parameter: String) {
        self.parameter = parameter
    }
}

/// The peer may not call this.
public struct PermissionDenied: ServiceFault {
    public init() {}
}

/// The method answers several times and has to be called with `more`.
public struct ExpectedMore: ServiceFault {
    public init() {}
}
