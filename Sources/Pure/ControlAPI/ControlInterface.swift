public import Varlink

/// A Varlink interface of the control socket. Its file is the truth: the types here follow it.
public protocol SocketInterface: Sendable {
    static var name: String { get }
    /// The definition, as introspection answers it.
    static var description: String { get }
    /// All its errors. As a list of `ControlFault`s each would be cast at run time for who reads them, which looks
    /// through every conformance of the program.
    static var faults: [any Fault.Type] { get }
}

/// All that is spoken on the control socket.
public enum ControlSocket {
    public static let interfaces: [any SocketInterface.Type] = [
        ControlInterface.self, GrantsInterface.self, SignInInterface.self, StaffInterface.self,
    ]

    /// The errors of all of them, for a client that wants them typed: a method of one may answer with an error of
    /// another.
    public static var faults: [any Fault.Type] { interfaces.flatMap { $0.faults } }
}

/// What a person does with their inbox, and the daemon.
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

/// A call at the control socket, named on the wire as its type is here.
public protocol ControlMethod: Method {
    associatedtype Interface: SocketInterface = ControlInterface
}

extension ControlMethod {
    public static var name: String { Interface.name + "." + typeName(Self.self) }
}

/// An error of the control socket, named on the wire as its type is here.
public protocol ControlFault: Fault {
    associatedtype Interface: SocketInterface = ControlInterface
}

extension ControlFault {
    public static var name: String { Interface.name + "." + typeName(Self.self) }
}

/// A call that may be repeated where its answer was lost: with the same key it is done once.
public protocol RepeatableMethod: ControlMethod {
    /// A UUID of the caller's.
    var idempotencyKey: String? { get set }
}

/// What a parameter may be, at most, in bytes. It is looked at before the parameter is decoded: whoever shares
/// the daemon with a caller waits for what a call costs.
extension ControlInterface {
    /// Of a name, an id, a token or a title.
    public static let shortLimit = 1 << 10
    public static let wordsLimit = 4 << 10
    public static let redirectLimit = 8 << 10
    public static let payloadLimit = 64 << 10
    public static let messageLimit = 1 << 20
    public static let receiptLimit = 2 << 20

    /// Bytes of the text of `parameter`; `method` is fully qualified.
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

    /// Throws `InvalidArgument` for the first parameter that is longer than it may be.
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

/// What the daemon, `ctl` and the requests to the API call themselves.
public enum Product {
    public static let name = "cutied"
    /// As a person reads it: the name in the .desktop file.
    public static let title = "Cuti-E"
    /// The name of the .desktop file and of the icon, without the ending.
    public static let desktopEntry = "io.cutied.Cutied"
    /// The same of the window.
    public static let inboxDesktopEntry = "io.cutied.Inbox"
    public static let version = "0.2.0"

    /// Whether a .desktop file is the daemon's or the window's: a `cutie://` link comes back to us then.
    public static func isOwn(desktopFile name: String) -> Bool {
        [desktopEntry, inboxDesktopEntry].contains { $0 + ".desktop" == name }
    }
}
