import Glibc
import Runtime

/// The inherited resource limits of the process. Call these functions before other code runs.
public enum ProcessLimits {
    /// Ignores SIGXFSZ, so that a write beyond the file size limit fails with `EFBIG` (like a write to a full
    /// disk) instead of terminating the program. Child processes start with the default action.
    public static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

    /// The error that the process cannot open enough file descriptors. The limit is checked at startup,
    /// because some libraries terminate the program without a message if they cannot open a descriptor.
    public struct DescriptorShortage: Error, Hashable, Sendable {
        public let needed: Int
        public let available: Int

        /// An error message for the user.
        public var sentence: String {
            "\(needed) file descriptors are needed, but only \(available) can be opened"
        }
        /// A hint for the user.
        public var advice: String {
            "raise the limit of open files: `ulimit -n 1024` in a shell, LimitNOFILE=1024 in a systemd unit"
        }
    }

    /// Returns an error if the process cannot open `needed` file descriptors, even after raising the soft
    /// limit; otherwise `nil`.
    public static func findDescriptorShortage(forRequiredCount needed: Int) -> DescriptorShortage? {
        var available = countOpenableDescriptors(upTo: needed)
        if available < needed, raiseDescriptorLimit() { available = countOpenableDescriptors(upTo: needed) }
        return available < needed ? DescriptorShortage(needed: needed, available: available) : nil
    }

    private static func raiseDescriptorLimit() -> Bool {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return false }
        // Raise the soft limit only to the usual 1024, because `select` does not support larger descriptors.
        limit.rlim_cur = min(max(limit.rlim_cur, 1024), limit.rlim_max)
        return setrlimit(resource, &limit) == 0
    }

    /// Opens up to `needed` descriptors, closes them again, and returns the number of descriptors that
    /// could be opened. Reading the limit is not sufficient, because inherited descriptors count towards
    /// the limit.
    private static func countOpenableDescriptors(upTo needed: Int) -> Int {
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
