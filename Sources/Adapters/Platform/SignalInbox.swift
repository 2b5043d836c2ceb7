import CLinux
import Glibc
import Threads

/// Signals that are read one after the other instead of interrupting. They are blocked for the thread that
/// makes the inbox and all it starts: it must be made before there are others.
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

    /// The next signal; several of one kind that came meanwhile are one. Throws `CancellationError`.
    public func next() async throws -> Int32 {
        while true {
            let signal = clinux_read_signal(descriptor.number)
            if signal > 0 { return signal }
            _ = try await EventLoop.shared.wait(for: .readable, of: descriptor.number)
        }
    }
}
