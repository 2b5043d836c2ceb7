import Glibc
import Threads

/// Tells when the machine is put into another time zone.
public enum TimeZoneChanges {
    /// An element for each change, or for several at once: the link that names the zone was replaced.
    public static func watch(_ directory: String = "/etc") throws(SystemFailure) -> AsyncStream<Void> {
        let flags = Int32(IN_CLOEXEC | IN_NONBLOCK)
        let watcher = try Descriptor(inotify_init1(flags), from: "inotify_init1")
        let mask = UInt32(IN_MOVED_TO | IN_CREATE | IN_CLOSE_WRITE)
        guard inotify_add_watch(watcher.number, directory, mask) >= 0 else {
            throw SystemFailure("inotify_add_watch")
        }
        return DescriptorEvents.stream(of: watcher) { number in
            InotifyEvents.names(from: number).contains(Array("localtime".utf8))
        }
    }
}
