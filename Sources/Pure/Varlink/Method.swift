/// A method of an interface: the conforming type is its input parameters.
public protocol Method: Codable, Sendable {
    /// The output parameters.
    associatedtype Reply: Codable & Sendable
    /// Fully qualified: interface and method.
    static var name: String { get }
}
