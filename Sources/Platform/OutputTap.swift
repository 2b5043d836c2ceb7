import Dispatch
import Glibc

/// Takes all that a program writes, so that it never has to wait, and keeps the beginning of it.
final class OutputTap: Sendable {
    /// For the program; to be closed here once that has it.
    let writingEnd: Int32
    private let queue = DispatchQueue(label: "output")
    private let state: State

    init(keeping limit: Int) throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        writingEnd = ends[1]
        let state = State(reading: ends[0], limit: limit, queue: queue)
        self.state = state
        state.source.setEventHandler { @Sendable in state.drain() }
        state.source.setCancelHandler { @Sendable [end = ends[0]] in close(end) }
        state.source.activate()
    }

    /// What was written until now, and whether there was more than is kept. Nothing is taken any more, as a
    /// program that outlives its parent may never end writing.
    func end() -> (bytes: [UInt8], isCut: Bool) {
        queue.sync {
            state.drain()
            state.source.cancel()
            return (state.kept, state.isCut)
        }
    }

    /// Touched on the queue only.
    private final class State: @unchecked Sendable {
        let source: any DispatchSourceRead
        private let descriptor: Int32
        private let limit: Int
        private(set) var kept: [UInt8] = []
        private(set) var isCut = false
        private var chunk = [UInt8](repeating: 0, count: 4096)

        init(reading descriptor: Int32, limit: Int, queue: DispatchQueue) {
            (self.descriptor, self.limit) = (descriptor, limit)
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        }

        func drain() {
            while !source.isCancelled {
                let count = read(descriptor, &chunk, chunk.count)
                if count > 0 {
                    let room = limit - kept.count
                    kept += chunk.prefix(min(count, room))
                    isCut = isCut || count > room
                } else if count < 0, errno == EINTR {
                    continue
                } else {
                    // Its end would be told again and again.
                    if count == 0 { source.cancel() }
                    return
                }
            }
        }
    }
}
