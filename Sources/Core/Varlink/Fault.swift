import JSONReading

/// An error of an interface. The conforming type contains the parameters of the error.
public protocol Fault: Error, Codable, Sendable {
    /// The fully qualified name: interface and error.
    static var name: String { get }
}

/// An error whose name is not in the client's `FaultCatalog`, or whose parameters cannot be decoded.
public struct UnknownFault: Error, Hashable, CustomStringConvertible {
    /// The fully qualified name.
    public let name: String
    /// The parameters as a JSON object.
    public let parametersJSON: [UInt8]

    public init(name: String, parametersJSON: [UInt8]) {
        self.name = name
        self.parametersJSON = parametersJSON
    }

    public var description: String { "\(name) \(String(decoding: parametersJSON, as: UTF8.self))" }
}

/// The error types that a client can decode, by fully qualified name. The errors of `org.varlink.service` are
/// always included.
public struct FaultCatalog: Sendable {
    private static let standard: [any Fault.Type] = [
        InterfaceNotFound.self, MethodNotFound.self, MethodNotImplemented.self, InvalidParameter.self,
        PermissionDenied.self, ExpectedMore.self,
    ]

    private let types: [any Fault.Type]

    public init(_ types: [any Fault.Type] = []) { self.types = Self.standard + types }

    /// Returns the typed error. Returns an `UnknownFault` if the catalog contains no such type, or if the
    /// parameters cannot be decoded.
    public func makeError(named name: String, parametersJSON: [UInt8]) -> any Error {
        // Most programs receive no errors, so the names are compared here instead of being stored in a
        // dictionary in advance.
        if let type = types.last(where: { $0.name == name }),
            let fault = try? JSONCoding.decode(type, from: parametersJSON)
        {
            return fault
        }
        return UnknownFault(name: name, parametersJSON: parametersJSON)
    }
}

/// An error of `org.varlink.service`, which every method may return.
public protocol ServiceFault: Fault, Hashable {}

extension ServiceFault {
    public static var name: String { ServiceInterface.name + "." + typeName(Self.self) }
}

/// The service does not have the interface.
public struct InterfaceNotFound: ServiceFault {
    public var interface: String

    public init(interface: String) {
        self.interface = interface
    }
}

/// The interface does not have the method. `method` is fully qualified.
public struct MethodNotFound: ServiceFault {
    public var method: String

    public init(method: String) {
        self.method = method
    }
}

/// The interface declares the method, but the service does not implement it. `method` is fully qualified.
public struct MethodNotImplemented: ServiceFault {
    public var method: String

    public init(method: String) {
        self.method = method
    }
}

/// A parameter is missing, unknown or has the wrong type.
public struct InvalidParameter: ServiceFault {
    public var parameter: String

    public init(parameter: String) {
        self.parameter = parameter
    }

    /// Creates the error from a decoding error. The parameter is a path, such as `list[2].name`. `nil` if the
    /// decoding error contains no path.
    init?(_ error: any Error) {
        guard let path = Self.codingPathDescription(ofError: error) else { return nil }
        self.init(parameter: path)
    }

    private static func codingPathDescription(ofError error: any Error) -> String? {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            codingPathDescription(of: context.codingPath + [key])
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            codingPathDescription(of: context.codingPath)
        default: nil
        }
    }

    private static func codingPathDescription(of keys: [any CodingKey]) -> String? {
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

/// The client is not allowed to call the method.
public struct PermissionDenied: ServiceFault {
    public init() {}
}

/// The method sends several replies, so the call must set `more`.
public struct ExpectedMore: ServiceFault {
    public init() {}
}

/// Returns the unqualified name of a type, for messages. `String(describing:)` is not used, because it first
/// searches all protocol conformances of the program, which took a quarter of the run time of `ctl status`.
public func typeName(_ type: Any.Type) -> String { _typeName(type, qualified: false) }
