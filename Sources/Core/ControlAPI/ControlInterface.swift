public import Varlink

/// A Varlink interface of the control socket. The `.varlink` file is authoritative: these types follow it.
public protocol SocketInterface: Sendable {
    static var name: String { get }
    /// The interface definition that introspection returns.
    static var description: String { get }
    /// All errors of the interface. The element type is not `ControlFault`, because a cast to it at run time
    /// would search all protocol conformances of the program.
    static var faults: [any Fault.Type] { get }
}

/// All interfaces of the control socket.
public enum ControlSocket {
    public static let interfaces: [any SocketInterface.Type] = [
        ControlInterface.self, GrantsInterface.self, SignInInterface.self, StaffInterface.self,
    ]

    /// The errors of all interfaces, for clients that decode typed errors: a method may return an error of
    /// another interface.
    public static var faults: [any Fault.Type] { interfaces.flatMap { $0.faults } }
}

/// The interface for the user's inbox and for the daemon.
public enum ControlInterface: SocketInterface {
    public static let name = "io.cutied.Control"

    public static var description: String {
        String(decoding: PackageResources.io_cutied_Control_varlink, as: UTF8.self)
    }

    public static let faults: [any Fault.Type] = [
        Ambiguous.self, Closed.self, Failed.self, InvalidArgument.self, InvalidConfiguration.self,
        InvalidResponse.self, NotAuthorized.self, NotConfigured.self, NotFound.self, NotOffered.self,
        NotSent.self, Offline.self, Refused.self, ServerError.self,
    ]
}

/// A method of the control socket. Its name on the wire is the name of its Swift type.
public protocol ControlMethod: Method {
    associatedtype Interface: SocketInterface = ControlInterface
}

extension ControlMethod {
    public static var name: String { Interface.name + "." + typeName(Self.self) }
}

/// An error of the control socket. Its name on the wire is the name of its Swift type.
public protocol ControlFault: Fault {
    associatedtype Interface: SocketInterface = ControlInterface
}

extension ControlFault {
    public static var name: String { Interface.name + "." + typeName(Self.self) }
}

/// A method that can be retried if its reply was lost. Calls with the same key are idempotent.
public protocol RepeatableMethod: ControlMethod {
    /// A UUID chosen by the caller.
    var idempotencyKey: String? { get set }
}

/// The size limits of parameters, in bytes. They are checked before a parameter is decoded, because an
/// expensive call delays all other clients of the daemon.
extension ControlInterface {
    /// The limit for names, ids, tokens and titles.
    public static let shortLimit = 1 << 10
    public static let wordsLimit = 4 << 10
    public static let redirectLimit = 8 << 10
    public static let payloadLimit = 64 << 10
    public static let messageLimit = 1 << 20
    public static let receiptLimit = 2 << 20

    /// Returns the size limit of the text `parameter`, in bytes. `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        switch (method, parameter) {
        case (Search.name, "words"): wordsLimit
        case (DeliverPush.name, "payload"): payloadLimit
        case (CreateConversation.name, "message"), (SendMessage.name, "message"),
            (AddNote.name, "message"), (CreateCannedResponse.name, "content"):
            messageLimit
        case (UseCannedResponse.name, "variables"): payloadLimit
        case (CompleteSignIn.name, "redirect"): redirectLimit
        case (VerifySubscription.name, "receiptData"): receiptLimit
        default: shortLimit
        }
    }

    /// Checks the size of all parameters.
    ///
    /// - Throws: `InvalidArgument` for the first parameter that exceeds its limit.
    public static func checkLimits(of call: Call) throws(InvalidArgument) {
        do throws(OversizedParameter) {
            try call.refuseParameters { limit(of: $0, in: call.method) }
        } catch {
            let reason = "it is longer than \(words(error.limit))"
            throw InvalidArgument(parameter: error.parameter, reason: reason)
        }
    }

    private static func words(_ limit: Int) -> String {
        limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
    }
}

/// The names of the product. `name` is used by the daemon, by `ctl` and in requests to the API.
public enum Product {
    public static let name = "cutied"
    /// The display name, as in the .desktop file.
    public static let title = "Cuti-E"
    /// The name of the .desktop file and of the icon, without the extension.
    public static let desktopEntry = "io.cutied.Cutied"
    /// The name of the window's .desktop file, without the extension.
    public static let inboxDesktopEntry = "io.cutied.Inbox"
    public static let version = "0.2.0"

    /// Returns whether a .desktop file belongs to the daemon or to the window. A `cutie://` link that is
    /// opened with it would return to this program.
    public static func isOwn(desktopFile name: String) -> Bool {
        [desktopEntry, inboxDesktopEntry].contains { $0 + ".desktop" == name }
    }
}
