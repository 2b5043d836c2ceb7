import CLinux
import Glibc
import Threads

/// The program that this process runs.
public enum OwnProgram {
    /// The path of its file, also if it is not in PATH; `nil` if there is no /proc.
    public static var path: String? { path(of: "self") }

    /// Returns the path of a process's program. If the file was replaced, as in an upgrade, the path of the
    /// new file.
    static func path(of process: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &path, path.count)
        guard count > 0 else { return nil }
        let name = String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.hasSuffix(gone) ? String(name.dropLast(gone.count)) : name
    }

    /// The suffix that the kernel appends to the name of a deleted file.
    private static let gone = " (deleted)"
}

/// Reads signals one after the other instead of handling interrupts. Signals are blocked for the creating
/// thread and its children, so the inbox must be created before other threads.
public final class SignalInbox: Sendable {
    private let descriptor: Descriptor

    public init(_ signals: [Int32]) throws(SystemFailure) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let failure = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard failure == 0 else { throw SystemFailure("block signals", code: failure) }
        descriptor = try Descriptor(clinux_open_signals(&set), from: "signalfd")
    }

    /// Returns the next signal. Several pending signals of one kind count as one. Throws `CancellationError`.
    public func next() async throws -> Int32 {
        while true {
            let signal = clinux_read_signal(descriptor.number)
            if signal > 0 { return signal }
            _ = try await EventLoop.shared.wait(for: .readable, of: descriptor.number)
        }
    }
}

/// The memory of the process: what the C library keeps, and what the linker mapped.
public enum Memory {
    /// One heap for all threads, which allocate little: each would keep a part of its own. Before they start.
    public static func shareHeap() { clinux_share_heap() }

    /// After work that does not come again soon. Gives back what it left free, which is kept otherwise, and the
    /// code that ran once, most of what is resident: what is needed again comes from the page cache, without a
    /// read. Not the code of debug builds, where a debugger's breakpoints would be lost. Takes milliseconds.
    public static func giveBack() {
        clinux_trim_heap()
        #if !DEBUG
            clinux_release_code()
        #endif
    }
}
