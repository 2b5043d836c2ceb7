/// The daemon cannot be reached, or went away while it was asked.
struct DaemonGone: Error, Hashable {
    enum Cause {
        case notRunning, tooSlow, left
        /// With words of the person's that it may have taken.
        case leftInDoubt
    }

    var path: String
    var cause = Cause.left

    var complaint: Complaint {
        Complaint(.unreachable, sentence, advice: advice)
    }

    private var advice: String {
        let start = "start it with `systemctl --user start cutied`"
        guard cause == .leftInDoubt else { return start + ", or see what is wrong with `cutied doctor`" }
        return start + " and look at `cutied ctl outbox` and `cutied ctl show` before you write them again"
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
        case .leftInDoubt: "the daemon went away before it answered: your words may have been taken"
        }
    }
}
