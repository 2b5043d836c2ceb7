extension Reconnection {
    /// What the standard makes of a response's head.
    public enum Answer: Hashable, Sendable {
        /// Read it as an event stream.
        case stream
        /// Do not connect again; the reason is for a person.
        case stop(String)
    }

    /// `contentType` is the value of the header, with parameters or without.
    public static func answer(status: Int, contentType: String?) -> Answer {
        guard status == 200 else {
            return .stop(
                status == 204 ? "the server ended the stream for good (204)" : "the server answered \(status)"
            )
        }
        let essence = (contentType ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        guard essence.lowercased() == "text/event-stream" else {
            return .stop("the server answered with \(essence.isEmpty ? "no type" : essence), no event stream")
        }
        return .stream
    }
}
