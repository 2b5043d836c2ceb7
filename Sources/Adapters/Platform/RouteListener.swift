import CLinux
import Glibc
import Threads

/// Reads the kernel's messages from a route socket: first everything there is, one kind after the other,
/// as the socket answers one question at a time; then the news.
final class RouteListener: Sendable {
    private let progress = Locked(Progress())

    private struct Progress {
        var state = NetworkState()
        var questions: [UInt16] = []
        var sequence: UInt32 = 0
    }

    /// Asks for everything. To be called once before the first `read`.
    func start(_ socket: Int32) throws(SystemFailure) {
        guard progress.withLock({ Self.restart(&$0, socket) }) else { throw SystemFailure("ask for routes") }
    }

    /// Reads all there is; true where something changed.
    func read(_ socket: Int32) -> Bool {
        progress.withLock { progress in
            var changed = false
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = clinux_receive_routes(socket, &buffer, buffer.count)
                if count >= 0 {
                    for message in RouteMessage.messages(in: buffer[..<count]) {
                        changed = Self.take(message, &progress, socket) || changed
                    }
                } else if errno == ENOBUFS {
                    // Messages were lost: what is known may be wrong.
                    _ = Self.restart(&progress, socket)
                    changed = true
                } else if errno != EINTR {
                    return changed
                }
            }
        }
    }

    private static func take(_ message: RouteMessage, _ progress: inout Progress, _ socket: Int32) -> Bool {
        let isNews = message.sequence != progress.sequence || progress.questions.isEmpty
        if message.content == .end, !isNews {
            progress.questions.removeFirst()
            _ = ask(&progress, socket)
        }
        return progress.state.apply(message.content) && isNews
    }

    private static func restart(_ progress: inout Progress, _ socket: Int32) -> Bool {
        progress.state = NetworkState()
        progress.questions = [UInt16(RTM_GETLINK), UInt16(RTM_GETADDR), UInt16(RTM_GETROUTE)]
        return ask(&progress, socket)
    }

    private static func ask(_ progress: inout Progress, _ socket: Int32) -> Bool {
        guard let question = progress.questions.first else { return true }
        progress.sequence += 1
        return clinux_request_routes(socket, question, progress.sequence) == 0
    }
}
