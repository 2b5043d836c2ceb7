import FoundationEssentials
import Glibc
import Runtime

public enum FileRemovals {
    /// Returns a stream with an element when `path` or its directory is deleted, moved or replaced. Several
    /// changes may be merged into one element. Does not report changes before the call, so the caller must
    /// check the file after the call.
    public static func watch(_ path: String) throws(SystemFailure) -> AsyncStream<Void> {
        guard let slash = path.lastIndex(of: "/") else { throw SystemFailure("watch " + path, code: ENOENT) }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = Array(path[path.index(after: slash)...].utf8)
        let watcher = try Inotify.makeInstance()
        let events = IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
        let mask = UInt32(events | IN_ONLYDIR)
        guard inotify_add_watch(watcher.number, directory, mask) >= 0 else {
            throw SystemFailure("inotify_add_watch " + directory)
        }
        return DescriptorEvents.makeStream(of: watcher) { number in
            // An event without a name concerns the directory.
            InotifyEvents.readFileNames(from: number).contains { $0.isEmpty || $0 == name }
        }
    }
}

/// The inotify instances of the user, whose number is limited by the kernel.
public enum Inotify {
    /// The maximum number of instances per user; `nil` if /proc is not mounted.
    public static var limit: Int? {
        let bytes = try? SmallFile.read("/proc/sys/fs/inotify/max_user_instances", sizeLimit: 32)
        return bytes.flatMap { Int(String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) }
    }

    /// Returns the error if the limit of inotify instances is reached; `nil` if another instance can be
    /// created.
    public static func findInstanceLimitError() -> SystemFailure? {
        do throws(SystemFailure) {
            _ = try makeInstance()
            return nil
        } catch { return error }
    }

    /// Returns the number of inotify instances in the processes of this user. Ignores processes that /proc
    /// does not show.
    public static func countUsedInstances() -> Int {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int32($0) != nil }.reduce(0) {
            $0 + countInstances(inProcess: "/proc/\($1)")
        }
    }

    private static func countInstances(inProcess process: String) -> Int {
        var status = stat()
        guard stat(process, &status) == 0, status.st_uid == geteuid() else { return 0 }
        let manager = FileManager.default
        let descriptors = (try? manager.contentsOfDirectory(atPath: process + "/fd")) ?? []
        return descriptors.count {
            (try? manager.destinationOfSymbolicLink(atPath: process + "/fd/" + $0)) == "anon_inode:inotify"
        }
    }

    static func makeInstance() throws(SystemFailure) -> Descriptor {
        let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        if number < 0, errno == EMFILE, let limit {
            throw SystemFailure("inotify_init1 (fs.inotify.max_user_instances is \(limit))", code: EMFILE)
        }
        return try Descriptor(number, resultOf: "inotify_init1")
    }
}

/// The parser for the events of an inotify descriptor.
enum InotifyEvents {
    /// Reads all pending events and returns their file names. The name of an event about the watched
    /// directory itself is empty.
    static func readFileNames(from descriptor: Int32) -> [[UInt8]] {
        var (buffer, found) = ([UInt8](repeating: 0, count: 4096), [[UInt8]]())
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            found += parseFileNames(in: buffer[..<count])
        }
        return found
    }

    /// Returns the file names in `events`. Each event consists of four 32-bit words and a padded name, whose
    /// length is the last word.
    private static func parseFileNames(in events: ArraySlice<UInt8>) -> [[UInt8]] {
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
