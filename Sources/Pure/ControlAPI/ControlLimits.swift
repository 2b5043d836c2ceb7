public import Varlink

/// What a parameter may be, at most, in bytes. It is looked at before the parameter is decoded: whoever shares
/// the daemon with a caller waits for what a call costs.
extension ControlInterface {
    /// Of a name, an id, a token or a title.
    public static let shortLimit = 1 << 10
    public static let wordsLimit = 4 << 10
    public static let payloadLimit = 64 << 10
    public static let messageLimit = 1 << 20
    public static let receiptLimit = 2 << 20

    /// Bytes of the text of `parameter`; `method` is fully qualified.
    public static func limit(of parameter: String, in method: String) -> Int {
        switch (method, parameter) {
        case (Search.name, "words"): wordsLimit
        case (DeliverPush.name, "payload"): payloadLimit
        case (CreateConversation.name, "message"), (SendMessage.name, "message"): messageLimit
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
