public import Varlink

/// A method of the Varlink interface `io.cutied.Access`. `make interfaces` generates the conforming types in
/// `Generated`.
public protocol AccessMethod: Method {
    /// Size limits in bytes, by parameter name. `shortLimit` applies to all other parameters.
    static var limits: [String: Int] { get }
}

extension AccessMethod {
    public static var limits: [String: Int] { [:] }
}

public protocol AccessFault: Fault {}

/// A method that can be retried.
public protocol RepeatableAccessMethod: AccessMethod, RepeatableMethod {
    /// The requirement of `RepeatableMethod`, redeclared for modules that do not import `Varlink`.
    var idempotencyKey: String? { get set }
}

/// Size limits of parameters. The daemon checks the size of a parameter before it decodes the parameter,
/// because decoding a huge value takes a long time and would delay the calls of other clients.
extension AccessInterface {
    private static let limits = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.limits) })

    /// Returns the size limit of `parameter` in bytes. The limit applies to the content of a string, and to
    /// the JSON of any other value. `method` is fully qualified.
    public static func sizeLimit(ofParameter parameter: String, inMethod method: String) -> Int {
        limits[method]?[parameter] ?? shortLimit
    }

    /// Checks the size of all parameters.
    ///
    /// - Throws: `InvalidArgument` for the first parameter that exceeds its limit.
    public static func checkParameterSizes(of call: Call) throws(InvalidArgument) {
        do throws(OversizedParameter) {
            try call.rejectParameters { sizeLimit(ofParameter: $0, inMethod: call.method) }
        } catch {
            throw InvalidArgument(parameter: error.parameter, limit: error.limit)
        }
    }
}

extension InvalidArgument {
    /// Creates the error for a value longer than `limit` bytes. The message and the code are literal strings,
    /// because importing `Reasons` would add that module to the library for apps.
    init(parameter: String, limit: Int) {
        let size = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
        self.init(
            parameter: parameter, reason: "the value is longer than \(size)", reasonCode: "value_too_long",
            reasonArguments: ["limit": size])
    }

    /// Returns the error for a value that must not be empty.
    static func emptyValueError(forParameter parameter: String) -> InvalidArgument {
        InvalidArgument(
            parameter: parameter, reason: "the value is empty", reasonCode: "value_empty",
            reasonArguments: [:])
    }
}
