import Glibc
internal import Threads

/// Takes all that a program writes, so that it never has to wait, and keeps the beginning of it.
final class OutputTap: Sendable {
    /// For the program; to be closed here once that has it.
    let writingEnd: Int32
    private let readingEnd: Int32
    private let limit: Int
    private let state = Locked(State())

    private struct State {
        var kept: [UInt8] = []
        var isCut = false
        var isOver = false
    }

    init(keeping limit: Int) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        (readingEnd, writingEnd, self.limit) = (ends[0], ends[1], limit)
    }

    deinit { close(readingEnd) }

    /// Until the last writer is gone, or the task is cancelled.
    func run() async {
        while drain() {
            do { _ = try await EventLoop.shared.wait(for: .readable, of: readingEnd) } catch { return }
        }
    }

    /// What was written until now, and whether there was more than is kept.
    func end() -> (bytes: [UInt8], isCut: Bool) {
        _ = drain()
        return state.withLock { ($0.kept, $0.isCut) }
    }

    /// False where nothing more can come.
    private func drain() -> Bool {
        state.withLock { state in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while !state.isOver {
                let count = read(readingEnd, &chunk, chunk.count)
                if count > 0 {
                    let room = limit - state.kept.count
                    state.kept += chunk.prefix(min(count, room))
                    state.isCut = state.isCut || count > room
                } else if count == 0 {
                    state.isOver = true
                } else if errno != EINTR {
                    return errno == EAGAIN
                }
            }
            return false
        }
    }
}
