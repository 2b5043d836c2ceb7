public import Varlink

/// What apps on this desktop do here. Its file is the truth: the types of this module follow it.
public enum AccessInterface {
    public static let name = "io.cutied.Access"

    /// The definition, as introspection answers it.
    public static var description: String {
        String(decoding: PackageResources.io_cutied_Access_varlink, as: UTF8.self)
    }

    /// All its errors, for a client that wants them typed.
    public static let faults: [any Fault.Type] = [
        Closed.self, Failed.self, InvalidArgument.self, NotAllowed.self, NotAuthorized.self,
        NotConfigured.self, NotFound.self, NotOffered.self, Offline.self, Refused.self, ServerError.self,
        TooManyRequests.self,
    ]
}

/// A call of an app, named on the wire as its type is here.
public protocol AccessMethod: Method {}

extension AccessMethod {
    public static var name: String { AccessInterface.name + "." + typeName(Self.self) }
}

/// An error that an app is answered with, named on the wire as its type is here.
public protocol AccessFault: Fault {}

extension AccessFault {
    public static var name: String { AccessInterface.name + "." + typeName(Self.self) }
}

/// A call that may be repeated where its answer was lost: with the same key it is done once.
public protocol RepeatableMethod: AccessMethod {
    /// A UUID of the caller's.
    var idempotencyKey: String? { get set }
}

/// The answer to a call that has nothing to say but that it was done.
public struct Done: Codable, Hashable, Sendable {
    public init() {}
}

/// What a parameter may be, at most, in bytes. It is looked at before the parameter is decoded: whoever shares the
/// daemon with an app waits for what a call costs.
extension AccessInterface {
    /// Of a name, an id, an address or a title.
    public static let shortLimit = 1 << 10
    public static let messageLimit = 1 << 20
    /// An access token is often a JWT with claims.
    public static let tokenLimit = 16 << 10
    /// Names in one `AuthorizeProtocols`, each `shortLimit` long.
    public static let protocolsLimit = 32

    /// Bytes of the text of `parameter`, or of its JSON where it is no text; `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        switch (method, parameter) {
        case (CreateConversation.name, "message"), (SendMessage.name, "message"): messageLimit
        case (AuthorizeProtocols.name, "token"): tokenLimit
        // The longest escape of one byte has six; with it two quotes and a comma, and once the brackets.
        case (AuthorizeProtocols.name, "protocols"): protocolsLimit * (shortLimit * 6 + 3) + 1
        default: shortLimit
        }
    }

    /// Throws `InvalidArgument` for the first parameter that is longer than it may be.
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
