public import Varlink

/// A method of the interface. `Generated` has all types of the interface, which `make interfaces` writes.
public protocol AccessMethod: Method {
    /// The size limits of parameters that have one of their own, in bytes.
    static var limits: [String: Int] { get }
}

extension AccessMethod {
    public static var limits: [String: Int] { [:] }
}

/// An error of the interface.
public protocol AccessFault: Fault {}

/// A method that may be called again if its answer was lost. Calls with the same key have one effect.
public protocol RepeatableMethod: AccessMethod {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

/// The size limits of parameters. They are checked before a parameter is decoded, because a costly call would
/// delay all clients of the daemon.
extension AccessInterface {
    private static let limits = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.limits) })

    /// Returns the limit of `parameter`: the bytes of its text, or of its JSON if it is not a string.
    /// `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        limits[method]?[parameter] ?? shortLimit
    }

    /// Throws `InvalidArgument` for the first parameter that exceeds its limit.
    public static func checkLimits(of call: Call) throws(InvalidArgument) {
        do throws(OversizedParameter) {
            try call.refuseParameters { limit(of: $0, in: call.method) }
        } catch {
            throw InvalidArgument(parameter: error.parameter, reason: reason(ofLimit: error.limit))
        }
    }

    static func reason(ofLimit bytes: Int) -> String {
        "it is longer than " + (bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB")
    }
}
