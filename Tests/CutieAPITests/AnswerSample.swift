import CutieAPI
import Foundation
import Testing

/// A response with all its fields, and the function that decodes it.
struct AnswerSample: Sendable, CustomTestStringConvertible {
    struct Answer: Equatable {
        var value: String
        var unreadable: [UnreadableJSON]
    }

    let name: String
    let json: JSONText
    private let decode: @Sendable ([UInt8], UnreadableParts) throws -> [UInt8]

    var testDescription: String { name }

    func read(_ json: JSONText) throws -> Answer {
        let unreadable = UnreadableParts()
        let value = try decode(Array(json.text.utf8), unreadable)
        return Answer(value: String(decoding: value, as: UTF8.self), unreadable: unreadable.drain())
    }

    private init<Value: Codable & Sendable>(_ type: Value.Type, _ json: String) {
        name = "\(type)"
        self.json = JSONText(parsing: json)
        decode = { try JSON.encode(JSON.decode(Value.self, from: $0, recordingUnreadablePartsIn: $1)) }
    }

    private static let message = """
        {"message_id":"m","conversation_id":"c","sender_type":"admin","sender_id":"a","sender_name":"Ann",\
        "sender_avatar_url":"https://a.example/a.png","message":"Hello","message_type":"text",\
        "is_internal_note":true,"created_at":1700000000000}
        """
    private static let conversation = """
        {"conversation_id":"c","status":"open","title":"T","category":"bug","priority":"high","customer_id":"u",\
        "user_id":"u","user_name":"Bea","device_id":"d","assigned_admin_id":"a","app_id":"app","app_name":"App",\
        "message_count":3,"unread_count":2,"messages":[\(message)],"created_at":1700000000000,\
        "updated_at":1700000000001,\
        "tags":[{"tag_id":"t","conversation_id":"c","tag_name":"n","tag_color":"red"}]}
        """

    private static func event(_ type: String, _ data: String) -> AnswerSample {
        AnswerSample(Event.self, #"{"id":"1","type":"\#(type)","created_at":1700000000000,"data":\#(data)}"#)
    }

    static let all = answers + events

    private static let answers = [
        AnswerSample(Message.self, message), AnswerSample(Conversation.self, conversation),
        AnswerSample(ConversationPage.self, #"{"conversations":[\#(conversation)],"total_unread":5}"#),
        AnswerSample(
            CreatedConversation.self,
            #"{"conversation_id":"c","status":"open","message_id":"m","created_at":1700000000000}"#),
        AnswerSample(ReadMark.Response.self, #"{"up_to":"m","unread_count":1,"total_unread":2}"#),
        AnswerSample(Registration.Response.self, #"{"device_token":"t","token_id":"i","is_new":true}"#),
        AnswerSample(
            Linking.Offer.self,
            #"{"link_token":"t","expires_at":1700000000000,"expires_in":300,"has_existing_group":true}"#),
        AnswerSample(Linking.Confirmed.self, #"{"success":true,"group_id":"g","message":"m"}"#),
        AnswerSample(
            Linking.Progress.self,
            #"{"status":"confirmed","link_token":"t","group_id":"g","target_device_name":"n","#
                + #""confirmed_at":1700000000000,"expires_at":1700000000001}"#),
        AnswerSample(
            Linking.Group.self,
            #"{"linked":true,"group_id":"g","devices":[{"device_id":"d","device_name":"n","#
                + #""joined_at":1700000000000,"is_primary":true,"is_current":true}]}"#),
        AnswerSample(Linking.Removed.self, #"{"success":true,"message":"m"}"#),
        AnswerSample(
            Attestation.Challenge.self, #"{"challenge":"c","expires_at":1700000000000,"expires_in":60}"#),
        AnswerSample(
            Attestation.Accepted.self, #"{"success":true,"attestation_id":"a","attested":true}"#),
        AnswerSample(
            Attestation.State.self,
            #"{"attested":true,"attestation":{"key_id":"k","environment":"tpm2","sign_count":7,"#
                + #""created_at":1700000000000,"last_assertion_at":1700000000001}}"#),
        AnswerSample(FeedbackApp.Pass.self, #"{"token":"t"}"#),
        AnswerSample(
            FeedbackApp.Account.self,
            #"{"app_id":"a","app_name":"A","device_id":"d","group_id":"g"}"#),
        AnswerSample(
            Subscription.Usage.self,
            #"{"billing_period":"2025-01","tier":"free","state":"grace_period","#
                + #""until":1700000000000,"usage":{"feedback_count":1,"feedback_limit":50,"#
                + #""feedback_remaining":49,"message_count":2,"attachment_bytes":3,"storage_limit_bytes":4}}"#
        ),
        AnswerSample(
            TagList.self,
            #"{"tags":[{"tag_id":"t","conversation_id":"c","tag_name":"n","tag_color":"red"}]}"#),
        AnswerSample(
            CannedResponse.List.self,
            #"{"canned_responses":[{"response_id":"r","title":"t","content":"c","category":"k"}]}"#),
        AnswerSample(
            ConversationStatistics.self,
            #"{"total":4,"by_status":{"open":3},"by_category":{"bug":2},"by_priority":{"low":1}}"#),
        AnswerSample(ResponseTimes.self, #"{"answered":3,"average_first_response_seconds":12.5}"#),
    ]

    private static let created = """
        {"conversation_id":"c","message":\(message),"unread_count":2,"total_unread":5,\
        "conversation":{"title":"T","category":"bug","priority":"urgent","status":"open"}}
        """
    private static let events = [
        event("message.created", created),
        AnswerSample(
            EventPage.self,
            #"{"events":[{"id":"1","type":"badge","created_at":1700000000000,"data":{"total_unread":1}}],"cursor":"1"}"#
        ),
        event("conversation.updated", #"{"conversation":\#(conversation)}"#),
        event("conversation.read", #"{"conversation_id":"c","unread_count":1,"total_unread":4}"#),
        event("badge", #"{"total_unread":4}"#),
        event("device.linked", #"{"group_id":"g","device_id":"d","device_name":"n"}"#),
        event("device.unlinked", #"{"group_id":"g","device_id":"d","device_name":"n"}"#),
    ]
}

/// A JSON value in which a single member can be replaced.
indirect enum JSONText: Sendable, Equatable {
    case null
    case flag(Bool)
    /// A number, stored as its original digits.
    case number(String)
    case text(String)
    case list([JSONText])
    case object([String: JSONText])

    init(parsing json: String) {
        let value = try? JSONDecoder().decode(AnyValue.self, from: Data(json.utf8))
        self = value?.json ?? .null
    }

    /// The path of each value that is neither a list nor an object.
    var leaves: [[String]] {
        switch self {
        case .list(let elements):
            elements.enumerated().flatMap { place, element in element.leaves.map { ["\(place)"] + $0 } }
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { key, value in value.leaves.map { [key] + $0 } }
        default: [[]]
        }
    }

    subscript(_ place: [String]) -> JSONText {
        guard let key = place.first else { return self }
        let rest = Array(place.dropFirst())
        switch self {
        case .list(let elements): return elements[Int(key) ?? 0][rest]
        case .object(let members): return (members[key] ?? .null)[rest]
        default: return self
        }
    }

    /// Returns a copy in which the member at `place` is replaced by `value`, or removed if `value` is `nil`.
    func replacing(_ place: [String], with value: JSONText?) -> JSONText {
        guard let key = place.first else { return value ?? .null }
        let rest = Array(place.dropFirst())
        switch self {
        case .list(var elements):
            let index = Int(key) ?? 0
            elements[index] = elements[index].replacing(rest, with: value)
            return .list(elements)
        case .object(var members):
            members[key] = rest.isEmpty ? value : members[key]?.replacing(rest, with: value)
            return .object(members)
        default: return self
        }
    }

    /// This value as a JSON string, as written by servers that encode all values as strings; `nil` if the
    /// value is neither a flag nor a number.
    var asText: JSONText? {
        switch self {
        case .flag(let flag): .text("\(flag)")
        case .number(let number): .text(number)
        default: nil
        }
    }

    var text: String {
        switch self {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .number(let number): number
        case .text(let text): "\"\(text)\""
        case .list(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1.text)" }.joined(separator: ",")
                + "}"
        }
    }
}

private struct AnyValue: Decodable {
    let json: JSONText

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            json = .null
        } else if let flag = try? container.decode(Bool.self) {
            json = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            json = .number("\(number)")
        } else if let number = try? container.decode(Double.self) {
            json = .number("\(number)")
        } else if let text = try? container.decode(String.self) {
            json = .text(text)
        } else if let elements = try? container.decode([AnyValue].self) {
            json = .list(elements.map(\.json))
        } else {
            json = .object(try container.decode([String: AnyValue].self).mapValues(\.json))
        }
    }
}
