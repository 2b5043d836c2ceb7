import Glibc

/// `less`, for a text of which one line is to be seen although it does not fit.
enum Pager {
    /// Shows `text` in this terminal with `line` (from 1) at the top; returns when the person has seen enough.
    /// False where there is no pager.
    static func show(_ text: String, from line: Int) -> Bool {
        // Through a shell, as it looks the program up; nothing in it is from outside. Without LESSSECURE a key
        // press would start a shell or an editor with the text of others.
        let command = "LESSSECURE=1 LESSOPEN= exec less -R '-PThe thread; q closes it' +\(line) 2>/dev/null"
        guard let pipe = popen(command, "we") else { return false }
        // A pager that is left early reads no more: this is no error.
        _ = text.withCString { fputs($0, pipe) }
        let status = pclose(pipe)
        return status == 0
    }

    /// Lines of the terminal that this process writes to; nil where it is none.
    static var height: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
        return Int(size.ws_row)
    }
}
