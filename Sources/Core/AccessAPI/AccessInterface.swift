public import Varlink

/// The interface for apps on this desktop. The `.varlink` file is authoritative; the types of this module
/// follow it.
public enum AccessInterface {
    public static let name = "io.cutied.Access"

    /// The definition, as returned by introspection.
    public static var description: String {
        String(decoding: PackageResources.io_cutied_Access_varlink, as: UTF8.self)
    }

    /// All errors of the interface, for clients that decode them as types.
    public static let faults: [any Fault.Type] = [
        Closed.self, Failed.self, InvalidArgument.self, NotAllowed.self, NotAuthorized.self,
        NotConfigured.self, NotFound.self, NotOffered.self, Offline.self, Refused.self, ServerError.self,
        TooManyRequests.self,
    ]
}

/// A method of the interface. Its wire name is the name of its type.
public protocol AccessMethod: Method {}

extension AccessMethod {
    public static var name: String { AccessInterface.name + "." + typeName(Self.self) }
}

/// An error of the interface. Its wire name is the name of its type.
public protocol AccessFault: Fault {}

extension AccessFault {
    public static var name: String { AccessInterface.name + "." + typeName(Self.self) }
}

/// A method that may be called again if its answer was lost. Calls with the same key have one effect.
public protocol RepeatableMethod: AccessMethod {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

/// The reply of a method that returns no values.
public struct Done: Codable, Hashable, Sendable {
    public init() {}
}

/// The size limits of parameters, in bytes. They are checked before a parameter is decoded, because a costly
/// call would delay all clients of the daemon.
extension AccessInterface {
    /// The limit of names, ids, addresses and titles.
    public static let shortLimit = 1 << 10
    public static let messageLimit = 1 << 20
    /// The limit of access tokens, which are often JWTs with claims.
    public static let tokenLimit = 16 << 10
    /// Maximum number of names in `AuthorizeProtocols`, each of `shortLimit` bytes.
    public static let protocolsLimit = 32

    /// Returns the limit of `parameter`: the bytes of its text, or of its JSON if it is not a string.
    /// `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        switch (method, parameter) {
        case (CreateConversation.name, "message"), (SendMessage.name, "message"): messageLimit
        case (AuthorizeProtocols.name, "token"): tokenLimit
        // The longest escape sequence for one byte has 6 bytes; each name adds two quotes and a comma, the
        // list two brackets.
        case (AuthorizeProtocols.name, "protocols"): protocolsLimit * (shortLimit * 6 + 3) + 1
        default: shortLimit
        }
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
