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
            var buffer = [UInt8](repeating: 0, count: 4096)
            var isTold = false
            while case let count = read(number, &buffer, buffer.count), count > 0 {
                isTold = isTold || names(in: buffer[..<count]).contains(Array("localtime".utf8))
            }
            return isTold
        }
    }

    /// An event is four words, of which the last is the length of the padded name that follows.
    private static func names(in events: ArraySlice<UInt8>) -> [[UInt8]] {
        var (rest, names): (ArraySlice<UInt8>, [[UInt8]]) = (events, [])
        while rest.count >= 16 {
            let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(16)
            names.append(Array(rest.prefix(length).prefix { $0 != 0 }))
            rest = rest.dropFirst(length)
        }
        return names
    }
}
