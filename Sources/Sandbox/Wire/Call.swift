import AttestationFormat
import CutieAPI
import Foundation
import HTTPTypes
import Hummingbird

/// A request whose body has been read.
struct Call: Sendable {
    let request: Request
    let parameters: Parameters
    let body: [UInt8]

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    func query(_ name: String) -> String? {
        request.uri.queryParameters[name[...]].map(String.init)
    }

    /// A whole number of the query within `range`.
    func number(_ name: String, default absent: Int, in range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let text = query(name) else { return absent }
        guard let number = Int(text), range.contains(number) else {
            throw Refusal(.badRequest, "\(name) must be a whole number from \(range.lowerBound)")
        }
        return number
    }

    /// A segment of the path that the route leaves open.
    func parameter(_ name: String) throws -> String {
        let text = try parameters.require(name)
        return text.removingPercentEncoding ?? text
    }

    func conversationID() throws -> Conversation.ID { Conversation.ID(try parameter("conversation")) }

    /// No body at all is `{}`.
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws(Refusal) -> Value {
        do throws(UnreadableJSON) {
            return try JSON.decode(type, from: body.isEmpty ? Array("{}".utf8) : body)
        } catch {
            throw Refusal(.badRequest, "bad body: \(error)")
        }
    }

    /// What `device` has to sign of this request.
    func subject(for device: DeviceID) -> AssertionSubject {
        .request(
            method: request.method.rawValue, target: request.uri.description, body: body, device: device)
    }

    /// What makes a repeat with the same idempotency key the same request.
    var fingerprint: [UInt8] {
        Array("\(request.method) \(request.uri.path)\n".utf8) + body
    }
}
