import CLinux
import Glibc
import Runtime

/// The process that opened a connection. The kernel reports the process, so the peer cannot forge its
/// identity.
///
/// A process ID alone does not identify a process, because the kernel reuses the ID after the process exits.
/// On Linux 6.5 and later, a pidfd shows whether the process still exists. On older kernels, only the start
/// time distinguishes the process from a later process with the same ID.
public final class PeerProcess: Sendable {
    /// The process ID; 0 if the process is in another PID namespace.
    public let pid: Int32
    /// The start time in clock ticks since boot; `nil` if it cannot be read.
    public let startTime: UInt64?
    private let handle: Descriptor?
    /// Whether the process ID is reliable. `false` if the kernel supports pidfds but returned no pidfd: the
    /// process may have exited, and another process may have its ID.
    private let isIdentified: Bool
    private let known = Locked<KnownFacts>(.nothing)

    private enum KnownFacts {
        case nothing
        case facts(ProcessFacts)
        case ended
    }

    /// Identifies the process that opened `connection`. Must be called immediately after `accept`, while
    /// the process probably still runs.
    ///
    /// - Parameter opensHandle: whether to use a pidfd; `false` to simulate an older kernel in tests.
    init(of connection: borrowing Descriptor, pid: Int32, opensHandle: Bool = true) {
        self.pid = pid
        let number = opensHandle ? clinux_open_peer_pidfd(connection.number) : -1
        isIdentified = number >= 0 || !opensHandle || errno == ENOPROTOOPT
        handle = number >= 0 ? Descriptor(owning: number) : nil
        startTime = Self.readStartTime(of: pid)
    }

    /// The properties of the process, read at the first access; `nil` if the process had exited by then. The
    /// properties are not updated if the process later calls `exec`.
    public var facts: ProcessFacts? {
        known.withLock { known in
            if case .nothing = known { known = readFacts().map(KnownFacts.facts) ?? .ended }
            if case .facts(let facts) = known { return facts }
            return nil
        }
    }

    /// Whether the process still exists. If `true`, everything that was read from `/proc/PID` before this
    /// call concerns this process and not a later process with the same ID.
    public var isRunning: Bool {
        guard isIdentified, pid > 0, let startTime, Self.readStartTime(of: pid) == startTime else {
            return false
        }
        switch handle {
        case .some(let handle): return !Self.hasProcessEnded(withHandle: handle)
        case .none: return true
        }
    }

    private func readFacts() -> ProcessFacts? {
        guard isRunning else { return nil }
        let facts = ProcessFacts(reading: pid)
        // Discard the properties if the process has exited, because they may belong to another process with
        // the same ID.
        return isRunning ? facts : nil
    }

    private static func hasProcessEnded(withHandle handle: borrowing Descriptor) -> Bool {
        var state = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) != 0
    }

    private static func readStartTime(of pid: Int32) -> UInt64? {
        ProcessFile(ofProcess: pid, named: "stat").text.flatMap(parseStartTime(fromStatLine:))
    }

    /// Returns the start time, which is field 22 of `/proc/PID/stat`. Counts fields from the end of the
    /// program name (field 2), which is in parentheses and may contain any character.
    static func parseStartTime(fromStatLine line: String) -> UInt64? {
        guard let end = line.lastIndex(of: ")") else { return nil }
        let fields = line[end...].dropFirst().split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }
}

extension PeerProcess: Hashable {
    public static func == (left: PeerProcess, right: PeerProcess) -> Bool {
        left.pid == right.pid && left.startTime == right.startTime
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(pid)
        hasher.combine(startTime)
    }
}

/// The properties of a process. A property is `nil` if it cannot be read.
public struct ProcessFacts: Hashable, Sendable {
    /// The content of `/proc/PID/cgroup`.
    public var cgroup: String?
    public var executable: Executable?
    /// The name of the process. The name must be used only for display, because the process can change its
    /// name.
    public var name: String?
    /// Whether the process is in the same mount namespace as this process.
    public var sharesMounts: Bool?
    public var flatpakInfo: FlatpakInfo
    /// The label that a security module such as AppArmor assigned, from `/proc/PID/attr/current`.
    public var securityLabel: String?

    /// The executable file of a process.
    public struct Executable: Hashable, Sendable {
        /// The path of the file, in the mount namespace of the process.
        public var path: String
        public var device: UInt64
        public var inode: UInt64

        public init(path: String, device: UInt64, inode: UInt64) {
            (self.path, self.device, self.inode) = (path, device, inode)
        }
    }

    /// The file `/.flatpak-info`, which exists in the root directory of a Flatpak app.
    public enum FlatpakInfo: Hashable, Sendable {
        case text(String)
        case absent
        /// The file cannot be read.
        case hidden
    }

    public init(
        cgroup: String? = nil, executable: Executable? = nil, name: String? = nil,
        sharesMounts: Bool? = nil, flatpakInfo: FlatpakInfo = .hidden, securityLabel: String? = nil
    ) {
        (self.cgroup, self.executable, self.name) = (cgroup, executable, name)
        (self.sharesMounts, self.flatpakInfo) = (sharesMounts, flatpakInfo)
        self.securityLabel = securityLabel
    }

    init(reading pid: Int32) {
        cgroup = ProcessFile(ofProcess: pid, named: "cgroup").text
        executable = Executable(of: pid)
        name = ProcessFile(ofProcess: pid, named: "comm").line
        securityLabel = ProcessFile(ofProcess: pid, named: "attr/current").line
        let (mounts, own) = (
            ProcessFile(ofProcess: pid, named: "ns/mnt").target,
            ProcessFile(ofProcess: "self", named: "ns/mnt").target
        )
        sharesMounts = mounts.flatMap { mounts in own.map { $0 == mounts } }
        // Read the file only for processes in a Flatpak unit: any other process could have mounted a file
        // system that blocks forever.
        let isOfFlatpak = cgroup?.contains("app-flatpak-") == true
        flatpakInfo = isOfFlatpak ? FlatpakInfo(of: pid) : .hidden
    }
}

extension ProcessFacts.Executable {
    fileprivate init?(of pid: Int32) {
        let file = ProcessFile(ofProcess: pid, named: "exe")
        var identity = clinux_file_identity()
        guard var path = file.target, clinux_identify_file(file.path, &identity) == 0 else { return nil }
        let mark = " (deleted)"
        // Remove the mark that the kernel appends after an update has replaced the program file.
        if identity.links == 0, path.hasSuffix(mark) { path.removeLast(mark.count) }
        self.init(path: path, device: identity.device, inode: identity.inode)
    }
}

extension ProcessFacts.FlatpakInfo {
    fileprivate init(of pid: Int32) {
        let file = ProcessFile(ofProcess: pid, named: "root/.flatpak-info")
        if let text = file.text {
            self = .text(text)
        } else {
            self = errno == ENOENT ? .absent : .hidden
        }
    }
}

/// A regular file in `/proc/PID`. Reading never blocks, even if a FIFO or a device is mounted over the file.
private struct ProcessFile {
    private static let limit = 64 << 10

    let path: String

    init(ofProcess pid: Int32, named name: String) { path = "/proc/\(pid)/\(name)" }

    init(ofProcess process: String, named name: String) { path = "/proc/\(process)/\(name)" }

    /// The content of the file. If the file cannot be read or exceeds 64 KiB, the property is `nil`, and
    /// `errno` contains the error.
    var text: String? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            errno = EINVAL
            return nil
        }
        return Self.readContents(of: file)
    }

    /// Reads to the end of the file, because files in `/proc` report no size.
    private static func readContents(of file: borrowing Descriptor) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file.number, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else {
                errno = EFBIG
                return nil
            }
        }
    }

    /// The first line without its line ending; `nil` if it is empty.
    var line: String? {
        let line = text?.prefix { $0 != "\n" && $0 != "\0" }
        return line.flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// The target of the symbolic link; `nil` if it cannot be read.
    var target: String? {
        var bytes = [UInt8](repeating: 0, count: 4097)
        let count = bytes.withUnsafeMutableBytes { space in
            space.withMemoryRebound(to: CChar.self) { space in
                space.baseAddress.map { readlink(path, $0, space.count) } ?? -1
            }
        }
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
