import CutieAPI
import Foundation
import FoundationNetworking
import Sandbox
import Synchronization
import TestSupport

/// An event stream that collects records until it is closed.
final class OpenStream: NSObject, URLSessionDataDelegate {
    private struct State {
        var bytes = Data()
        var status = 0
        var isEnded = false
    }

    private let state = Mutex(State())
    private let session = Mutex<URLSession?>(nil)

    convenience init(_ device: TestDevice, after id: Event.ID? = nil) throws {
        try self.init(device.sandbox, device.headers, after: id)
    }

    /// Opens a stream with the request headers of a device or an admin.
    init(_ sandbox: RunningSandbox, _ headers: [String: String], after id: Event.ID? = nil) throws {
        super.init()
        guard let url = URL(string: sandbox.address.url + "/v1/events/stream") else {
            throw URLError(.badURL)
        }
        var request = URLRequest(url: url)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        if let id { request.setValue(id.rawValue, forHTTPHeaderField: "Last-Event-ID") }
        let opened = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        opened.dataTask(with: request).resume()
        session.withLock { $0 = opened }
    }

    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
    var status: Int { state.withLock { $0.status } }
    var isEnded: Bool { state.withLock { $0.isEnded } }
    /// The completely received records, in order.
    var records: [String] { Array(text.components(separatedBy: "\n\n").dropLast()) }
    var heartbeats: Int { records.count { $0.hasPrefix(":") } }

    var events: [Event] {
        records.compactMap { record in
            let data = record.components(separatedBy: "\n").first { $0.hasPrefix("data: ") }
            return data.flatMap { try? JSON.decode(Event.self, from: Data($0.dropFirst(6).utf8)) }
        }
    }

    /// Waits until the server has started the stream, so that the stream receives every later event.
    func opened() async throws {
        try await eventually("first heartbeat of the stream") { heartbeats > 0 }
    }

    @discardableResult
    func events(_ count: Int) async throws -> [Event] {
        try await eventually("\(count) events, there are \(events.count)") { events.count >= count }
        return events
    }

    func close() { session.withLock { $0?.invalidateAndCancel() } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.status = (response as? HTTPURLResponse)?.statusCode ?? 0 }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock { $0.bytes.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.isEnded = true }
    }
}
