/// An error of an interface: the conforming type is its parameters.
public protocol Fault: Error, Codable, Sendable {
    /// Fully qualified: interface and error.
    static var name: String { get }
}

/// An error that the receiver has no type for.
public struct UnknownFault: Error, Hashable, CustomStringConvertible {
    /// Fully qualified.
    public let name: String
    /// A JSON object.
    public let parametersJSON: [UInt8]

    public init(name: String, parametersJSON: [UInt8]) {
        self.name = name
        self.parametersJSON = parametersJSON
    }

    public var description: String { "\(name) \(String(decoding: parametersJSON, as: UTF8.self))" }
}

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

    /// Names the parameter that could not be decoded, as `list[2].name`; nil where the error does not tell.
    init?(_ error: any Error) {
        guard let path = Self.path(of: error) else { return nil }
        self.init(parameter: path)
    }

    private static func path(of error: any Error) -> String? {
        switch error {
        case DecodingError.keyNotFound(let key, let context): path(context.codingPath + [key])
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            path(context.codingPath)
        default: nil
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String? {
        guard !keys.isEmpty else { return nil }
        return keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
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

/// A type's own name, as the wire has it. `String(describing:)` first looks through every conformance of the
/// program for a better one, for each type: that was a quarter of `ctl status`.
public func typeName(_ type: Any.Type) -> String { _typeName(type, qualified: false) }
