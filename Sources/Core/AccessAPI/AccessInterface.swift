public import Varlink

/// A method of `io.cutied.Access`. `make interfaces` generates the types of the interface in `Generated`.
public protocol AccessMethod: Method {
    /// The maximum sizes, in bytes, of parameters that have an individual limit.
    static var limits: [String: Int] { get }
}

extension AccessMethod {
    public static var limits: [String: Int] { [:] }
}

public protocol AccessFault: Fault {}

/// A method that can be retried if its response was lost. Calls with the same key are idempotent.
public protocol RepeatableMethod: AccessMethod {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

/// Size limits of parameters. The limits are checked before a parameter is decoded, because an expensive call
/// would delay all clients of the daemon.
extension AccessInterface {
    private static let limits = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0.limits) })

    /// Returns the size limit of `parameter` in bytes. The limit applies to the content of a string, and to
    /// the JSON of any other value. `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        limits[method]?[parameter] ?? shortLimit
    }

    /// Checks the size of all parameters.
    ///
    /// - Throws: `InvalidArgument` for the first parameter that exceeds its limit.
    public static func checkLimits(of call: Call) throws(InvalidArgument) {
        do throws(OversizedParameter) {
            try call.refuseParameters { limit(of: $0, in: call.method) }
        } catch {
            throw InvalidArgument(parameter: error.parameter, limit: error.limit)
        }
    }
}

extension InvalidArgument {
    /// Creates the error for a value of more than `limit` bytes. The code is a string, because the library for
    /// apps does not contain the reasons.
    init(parameter: String, limit: Int) {
        let size = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
        self.init(
            parameter: parameter, reason: "the value is longer than \(size)", reasonCode: "value_too_long",
            reasonArguments: ["limit": size])
    }
}
