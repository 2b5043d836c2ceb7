import Varlink

extension Server {
    /// Answers one peer until it goes; what goes wrong with it ends nothing else.
    func serve(_ connection: Connection) async {
        defer { table.remove(connection) }
        do {
            while let call = try await connection.nextCall() {
                try await answer(call, on: connection)
                table.mark(connection, .idle)
                await Task.yield()
            }
        } catch let error as MessageError {
            notice(.badMessage(connection.peer, error))
            try? await connection.refuse()
        } catch SocketFailure.timedOut {
            notice(.tooSlow(connection.peer))
        } catch {}
    }

    private func answer(_ call: Call, on connection: Connection) async throws {
        let reply: Reply?
        do { reply = try await result(of: call, on: connection) } catch let end as StreamEnd {
            throw end
        } catch {
            try Task.checkCancellation()
            reply = connection.isAnswering ? self.reply(for: error) : nil
        }
        guard let reply else { return }
        do { try await connection.answer(reply) } catch let misuse as ServerSession.Misuse {
            try await connection.answer(self.reply(for: misuse))
        }
    }

    /// The reply that is still to be sent; nil after a stream, which has sent its own.
    private func result(of call: Call, on connection: Connection) async throws -> Reply? {
        switch try router.handler(for: call) {
        case .reply(let handler):
            table.mark(connection, .answering)
            return try await handler(call, connection.peer)
        case .stream(let handler):
            table.mark(connection, .streaming)
            try await stream(call, handler, on: connection)
            if connection.isAnswering { throw StreamEnd.withoutLastReply }
            return nil
        }
    }

    /// Runs the handler until it ends or the peer goes, whichever comes first.
    private func stream(
        _ call: Call, _ handler: @escaping @Sendable (Call, Connection) async throws -> Void,
        on connection: Connection
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do { try await handler(call, connection) } catch is CancellationError {
                    throw StreamEnd.peerGone
                }
            }
            group.addTask {
                try await connection.hangUp()
                throw StreamEnd.peerGone
            }
            try await group.next()
        }
    }

    private func reply(for error: any Error) -> Reply {
        let fault = (error as? any Fault) ?? fault(error)
        return Reply(fault: fault)
    }
}

/// Why a connection ends with its stream.
private enum StreamEnd: Error {
    case peerGone
    case withoutLastReply
}
