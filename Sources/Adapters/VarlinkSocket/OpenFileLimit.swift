import Glibc

/// How many descriptors this process may have open at once.
public enum OpenFileLimit {
    /// Raises the soft limit to `count` where it is lower, as far as the hard limit allows; returns the
    /// limit then in force. A thousand connections do not fit into the usual 1024.
    @discardableResult
    public static func raise(to count: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let wanted = min(rlim_t(count), limit.rlim_max)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = wanted
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
