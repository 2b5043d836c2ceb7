public import Varlink

/// Where the handler of a streaming method sends its replies.
public struct ReplyStream<M: Method>: Sendable {
    let connection: Connection

    /// Sends one reply and returns when the socket has taken it: a peer that does not read suspends the
    /// handler. `continues: false` ends the stream. One `send` at a time. Throws `CancellationError` when
    /// the peer has gone and `ServerSession.Misuse` after the last reply.
    @concurrent public func send(_ reply: M.Reply, continues: Bool = true) async throws {
        let message = try Reply(reply, continues: continues)
        do { try await connection.answer(message, patiently: true) } catch SocketFailure.peerGone {
            throw CancellationError()
        }
    }
}
