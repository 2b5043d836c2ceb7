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
