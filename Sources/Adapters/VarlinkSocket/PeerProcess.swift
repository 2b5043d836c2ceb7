import CLinux
import Glibc
import Threads

/// The process that made a connection, and what the system tells of it. Nothing the peer sends has a part in it.
///
/// Its number alone would not do: a process that ends leaves it to another one. Where the kernel has it
/// (Linux 6.5), a descriptor of the process tells that it is still there; elsewhere the time of its start does.
public final class PeerProcess: Sendable {
    /// 0 where the process is not of this process's namespace.
    public let pid: Int32
    /// In clock ticks since the system started; nil where it cannot be seen.
    public let startTime: UInt64?
    private let handle: Descriptor?
    /// False where the kernel knows such descriptors and gave none: then nobody can tell whose number it is by now.
    private let isIdentified: Bool
    private let known = Locked<Knowledge>(.nothing)

    private enum Knowledge {
        case nothing
        case facts(ProcessFacts)
        case gone
    }

    /// The process behind `connection`, to be asked for as soon as it is accepted. `handle` false does without the
    /// descriptor, as on an older kernel.
    init(of connection: borrowing Descriptor, pid: Int32, handle wantsHandle: Bool = true) {
        self.pid = pid
        let number = wantsHandle ? clinux_open_peer_pidfd(connection.number) : -1
        isIdentified = number >= 0 || !wantsHandle || errno == ENOPROTOOPT
        handle = number >= 0 ? Descriptor(owning: number) : nil
        startTime = Self.startTime(of: pid)
    }

    /// What the system tells of it, as it was when this was first asked; nil where the process had ended by then.
    /// What it became by `exec` later does not count.
    public var facts: ProcessFacts? {
        known.withLock { known in
            if case .nothing = known { known = read().map(Knowledge.facts) ?? .gone }
            if case .facts(let facts) = known { return facts }
            return nil
        }
    }

    /// Whether it is there. What was read of its number before this was true was read of it.
    public var isRunning: Bool {
        guard isIdentified, pid > 0, let startTime, Self.startTime(of: pid) == startTime else { return false }
        switch handle {
        case .some(let handle): return !Self.hasEnded(handle)
        case .none: return true
        }
    }

    private func read() -> ProcessFacts? {
        guard isRunning else { return nil }
        let facts = ProcessFacts(reading: pid)
        // Another process may have got the number meanwhile.
        return isRunning ? facts : nil
    }

    private static func hasEnded(_ handle: borrowing Descriptor) -> Bool {
        var state = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) != 0
    }

    private static func startTime(of pid: Int32) -> UInt64? {
        ProcessFile(pid, "stat").text.flatMap(startTime(inStat:))
    }

    /// Field 22. The second one is the program's name in brackets, which may contain anything.
    static func startTime(inStat line: String) -> UInt64? {
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

/// What the system tells of a process. nil is what may not be seen from here.
public struct ProcessFacts: Hashable, Sendable {
    /// The lines of /proc/PID/cgroup.
    public var cgroup: String?
    public var executable: Executable?
    /// Its name, which it may change; for people only.
    public var name: String?
    /// Whether it sees the file systems that this process sees.
    public var sharesMounts: Bool?
    public var flatpakInfo: FlatpakInfo
    /// Of AppArmor or another module, as /proc/PID/attr/current has it.
    public var securityLabel: String?

    /// The program it runs.
    public struct Executable: Hashable, Sendable {
        /// As the process sees it.
        public var path: String
        public var device: UInt64
        public var inode: UInt64

        public init(path: String, device: UInt64, inode: UInt64) {
            (self.path, self.device, self.inode) = (path, device, inode)
        }
    }

    /// `/.flatpak-info` of what the process sees as its root.
    public enum FlatpakInfo: Hashable, Sendable {
        case text(String)
        case absent
        /// It may not be seen from here.
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
        cgroup = ProcessFile(pid, "cgroup").text
        executable = Executable(of: pid)
        name = ProcessFile(pid, "comm").line
        securityLabel = ProcessFile(pid, "attr/current").line
        let (mounts, own) = (ProcessFile(pid, "ns/mnt").target, ProcessFile("self", "ns/mnt").target)
        sharesMounts = mounts.flatMap { mounts in own.map { $0 == mounts } }
        // A root of the process's own making may never answer: only those are read whom the manager put where
        // Flatpak's are.
        let isOfFlatpak = cgroup?.contains("app-flatpak-") == true
        flatpakInfo = isOfFlatpak ? FlatpakInfo(of: pid) : .hidden
    }
}

extension ProcessFacts.Executable {
    fileprivate init?(of pid: Int32) {
        let file = ProcessFile(pid, "exe")
        var identity = clinux_file_identity()
        guard var path = file.target, clinux_identify_file(file.path, &identity) == 0 else { return nil }
        let mark = " (deleted)"
        // An update replaced it while it runs.
        if identity.links == 0, path.hasSuffix(mark) { path.removeLast(mark.count) }
        self.init(path: path, device: identity.device, inode: identity.inode)
    }
}

extension ProcessFacts.FlatpakInfo {
    fileprivate init(of pid: Int32) {
        let file = ProcessFile(pid, "root/.flatpak-info")
        if let text = file.text {
            self = .text(text)
        } else {
            self = errno == ENOENT ? .absent : .hidden
        }
    }
}

/// A file of /proc about a process. Whatever else is there in its place, nobody waits for it.
private struct ProcessFile {
    private static let limit = 64 << 10

    let path: String

    init(_ pid: Int32, _ name: String) { path = "/proc/\(pid)/\(name)" }

    init(_ process: String, _ name: String) { path = "/proc/\(process)/\(name)" }

    /// nil and errno where it cannot be read, or is longer than 64 KiB.
    var text: String? {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let file = Descriptor(owning: number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            errno = EINVAL
            return nil
        }
        return Self.contents(of: file)
    }

    /// All of it: the files of /proc do not tell their size.
    private static func contents(of file: borrowing Descriptor) -> String? {
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

    /// The first line without its end; nil where it is empty.
    var line: String? {
        let line = text?.prefix { $0 != "\n" && $0 != "\0" }
        return line.flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// Where the link leads.
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
