import Glibc
import Runtime

/// Checks and adjusts the limits that a process inherits, before it does anything else.
public enum ProcessLimits {
    /// Makes a write beyond the limit of file sizes fail with `EFBIG`, as on a full disk; by default the
    /// signal ends the program. Programs that it starts get the default again.
    public static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    /// Too few descriptors can be opened. A library that gets none may end the program without a message.
    public struct DescriptorShortage: Error, Hashable, Sendable {
        public let needed: Int
        public let available: Int

        /// A description of the shortage, for the user.
        public var sentence: String {
            "\(needed) file descriptors are needed, but only \(available) can be opened"
        }
        /// What to do.
        public var advice: String {
            "raise the limit of open files: `ulimit -n 1024` in a shell, LimitNOFILE=1024 in a systemd unit"
        }
    }

    /// Returns the shortage if `needed` descriptors cannot be opened, even after raising the soft limit.
    public static func descriptorShortage(below needed: Int) -> DescriptorShortage? {
        var available = openableCount(upTo: needed)
        if available < needed, raiseDescriptorLimit() { available = openableCount(upTo: needed) }
        return available < needed ? DescriptorShortage(needed: needed, available: available) : nil
    }

    private static func raiseDescriptorLimit() -> Bool {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return false }
        // No more than is usual: `select` cannot deal with larger numbers.
        limit.rlim_cur = min(max(limit.rlim_cur, 1024), limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }

    /// Descriptors that were inherited count against the limit too, so this opens some and closes them again.
    private static func openableCount(upTo needed: Int) -> Int {
        var opened: [Int32] = []
        defer { for number in opened { close(number) } }
        while opened.count < needed {
            let number =
                opened.first.map { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard number >= 0 else { break }
            opened.append(number)
        }
        return opened.count
    }
}
