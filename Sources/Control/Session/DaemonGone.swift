/// The daemon cannot be reached, or went away while it was asked.
struct DaemonGone: Error, Hashable {
    enum Cause { case notRunning, tooSlow, left }

    var path: String
    var cause = Cause.left

    var complaint: Complaint {
        Complaint(
            .unreachable, sentence,
            advice: "start it with `systemctl --user start cutied`, "
                + "or see what is wrong with `cutied doctor`")
    }

    /// For a person who clicked: no path, and first what they know it by.
    var text: String {
        let how = cause == .tooSlow ? "does not answer" : "is not running"
        return "Cuti-E \(how).\nStart it with: systemctl --user restart cutied"
    }

    private var sentence: String {
        switch cause {
        case .notRunning: "no answer from the daemon at \(path): it does not run"
        case .tooSlow: "no answer from the daemon at \(path): it takes too long"
        case .left: "the daemon went away"
        }
    }
}
