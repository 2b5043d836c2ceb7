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

    private var sentence: String {
        switch cause {
        case .notRunning: "no answer from the daemon at \(path): it does not run"
        case .tooSlow: "no answer from the daemon at \(path): it takes too long"
        case .left: "the daemon went away"
        }
    }
}
