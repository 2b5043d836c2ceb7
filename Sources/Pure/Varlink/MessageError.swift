/// Bytes that are no Varlink message. The connection they came on cannot go on.
public enum MessageError: Error, Hashable, CustomStringConvertible {
    case tooLong(limit: Int)
    case tooDeep(limit: Int)
    /// Not a JSON object.
    case notJSON
    /// JSON, but not a call.
    case notACall(reason: String)
    /// JSON, but not a reply.
    case notAReply(reason: String)

    public var description: String {
        switch self {
        case .tooLong(let limit): "the message is longer than \(limit) bytes; send less at once"
        case .tooDeep(let limit): "the message is nested deeper than \(limit) levels; send it flatter"
        case .notJSON: "the message is not a JSON object that ends with a NUL byte"
        case .notACall(let reason): "the message is not a Varlink call: \(reason)"
        case .notAReply(let reason): "the message is not a Varlink reply: \(reason)"
        }
    }
}
