/// The daemon cannot be reached, or went away while it was asked.
struct DaemonGone: Error, Hashable {
    var path: String
    /// Why, in the system's words; nil where it went away.
    var reason: String?

    init(path: String, reason: String? = nil) {
        self.path = path
        self.reason = reason
    }

    var complaint: Complaint {
        let what = reason.map { "no answer from the daemon at \(path): \($0)" } ?? "the daemon went away"
        return Complaint(
            .unreachable, what,
            advice: "start it with `systemctl --user start cutied`, "
                + "or see what is wrong with `cutied doctor`")
    }
}
