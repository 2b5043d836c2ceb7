import Glibc
import Runtime

/// The resource limits that the process inherited. The limits must be checked and adjusted before other code
/// runs.
public enum ProcessLimits {
    /// Makes a write beyond the file size limit fail with `EFBIG`, like a write to a full disk; by default, a
    /// signal would terminate the program. Child processes get the default again.
    public static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    /// The error that too few file descriptors can be opened. A library without descriptors may terminate the
    /// program without a message.
    public struct DescriptorShortage: Error, Hashable, Sendable {
        public let needed: Int
        public let available: Int

        /// The error message for the user.
        public var sentence: String {
            "\(needed) file descriptors are needed, but only \(available) can be opened"
        }
        /// Advice for the user.
        public var advice: String {
            "raise the limit of open files: `ulimit -n 1024` in a shell, LimitNOFILE=1024 in a systemd unit"
        }
    }

    /// Returns an error if `needed` descriptors cannot be opened, even after raising the soft limit;
    /// otherwise `nil`.
    public static func descriptorShortage(below needed: Int) -> DescriptorShortage? {
        var available = countOpenable(upTo: needed)
        if available < needed, raiseDescriptorLimit() { available = countOpenable(upTo: needed) }
        return available < needed ? DescriptorShortage(needed: needed, available: available) : nil
    }

    private static func raiseDescriptorLimit() -> Bool {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return false }
        // Does not exceed the usual limit, because `select` does not support larger descriptors.
        limit.rlim_cur = min(max(limit.rlim_cur, 1024), limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }

    /// Opens descriptors and closes them again, because inherited descriptors count towards the limit.
    /// Returns the number that could be opened.
    private static func countOpenable(upTo needed: Int) -> Int {
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
