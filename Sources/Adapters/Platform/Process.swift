import CLinux
import Glibc
import Runtime

/// The program that this process runs.
public enum CurrentProgram {
    /// The path of the program file; `nil` if /proc is not mounted.
    public static var path: String? { executablePath(ofProcess: "self") }

    /// Returns the path of a process's program. If the program file was replaced by an upgrade, returns the
    /// path of the new file.
    static func executablePath(ofProcess process: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &path, path.count)
        guard count > 0 else { return nil }
        let name = String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return name.hasSuffix(deletedSuffix) ? String(name.dropLast(deletedSuffix.count)) : name
    }

    /// The suffix that the kernel appends to the path of a deleted file.
    private static let deletedSuffix = " (deleted)"
}

/// A queue of signals, which are delivered as values instead of interrupting threads. The queue blocks
/// the signals in the current thread and in threads that this thread creates, so the queue must be
/// created before other threads.
public final class SignalQueue: Sendable {
    private let descriptor: Descriptor

    public init(_ signals: [Int32]) throws(SystemFailure) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let failure = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard failure == 0 else { throw SystemFailure("block signals", code: failure) }
        descriptor = try Descriptor(clinux_open_signals(&set), resultOf: "signalfd")
    }

    /// Waits for the next signal and returns it. Pending signals with the same number are merged. Throws
    /// `CancellationError` if the task is cancelled.
    public func waitForNext() async throws -> Int32 {
        while true {
            let signal = clinux_read_signal(descriptor.number)
            if signal > 0 { return signal }
            _ = try await EventLoop.shared.wait(for: .readable, on: descriptor.number)
        }
    }
}

/// Functions for the heap of the process.
public enum Memory {
    /// Makes all threads share one malloc arena, which saves memory because the threads allocate little. Must
    /// be called before other threads start.
    public static func shareHeapAcrossThreads() { clinux_share_heap() }

    /// Returns free heap memory to the kernel. Takes milliseconds, so call it only when the process is
    /// likely to stay idle.
    public static func releaseMemory() { clinux_trim_heap() }
}
