import Foundation

/// A minimal Varlink client, written from the documentation only. It shares no code with cutied.
public struct MinimalVarlinkClient: Sendable {
    public let path: String
    let interface: String

    /// Creates a client for `interface` on the socket at `path`.
    public init(path: String, interface: String = "io.cutied.Control") {
        (self.path, self.interface) = (path, interface)
    }

    /// An error reply of a Varlink call.
    public struct Failure: Error, CustomStringConvertible {
        public let error: String
        public let description: String
    }

    private struct Call<Parameters: Encodable>: Encodable {
        var method: String
        var parameters: Parameters
        var more: Bool
    }

    private struct Reply<Parameters: Decodable>: Decodable {
        var parameters: Parameters
    }

    private struct Refusal: Decodable {
        var error: String?
    }

    /// Calls `method` on a new connection. Returns the reply.
    public func call<Result: Decodable & Sendable>(
        _ method: String, _ parameters: some Encodable = [String: String](), as: Result.Type = Result.self
    ) async throws -> Result {
        let request = try JSONEncoder().encode(
            Call(method: interface + "." + method, parameters: parameters, more: false))
        return try await runOnBackgroundThread { [path] in
            let socket = try PlainSocket(path: path)
            try socket.send(request + [0])
            var bytes: [UInt8] = []
            while bytes.last != 0 { try Self.receiveChunk(socket, &bytes) }
            return try Self.decodeResult(bytes.dropLast())
        }
    }

    /// Returns the event log entries after `sequence`, up to the end of the log.
    public func fetchLog(since sequence: Int64) async throws -> [LogRecord] {
        let request = try JSONEncoder().encode(
            Call(method: interface + ".Watch", parameters: ["since": sequence], more: true))
        return try await runOnBackgroundThread { [path] in
            let socket = try PlainSocket(path: path)
            try socket.send(request + [0])
            var bytes: [UInt8] = []
            var records: [LogRecord] = []
            while true {
                try Self.receiveChunk(socket, &bytes)
                while let end = bytes.firstIndex(of: 0) {
                    records.append(try Self.decodeResult(bytes[..<end]))
                    bytes.removeSubrange(...end)
                }
                guard let head = records.first?.sequence else { continue }
                let known = records.dropFirst().last?.sequence ?? sequence
                if known >= head { return Array(records.dropFirst()) }
            }
        }
    }

    private static func receiveChunk(_ socket: borrowing PlainSocket, _ bytes: inout [UInt8]) throws {
        let chunk = try socket.receive()
        guard !chunk.isEmpty else { throw Failure(error: "gone", description: "the daemon hung up") }
        bytes += chunk
    }

    private static func decodeResult<Result: Decodable>(_ bytes: some Collection<UInt8>) throws -> Result {
        if let error = try JSONDecoder().decode(Refusal.self, from: Data(bytes)).error {
            throw Failure(error: error, description: String(decoding: bytes, as: UTF8.self))
        }
        return try JSONDecoder().decode(Reply<Result>.self, from: Data(bytes)).parameters
    }
}
