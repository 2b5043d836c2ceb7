import EventSource
import FoundationEssentials
import Glibc

/// What `conformance sse` tells: one JSON object a line, written at once.
enum SSELine: Encodable {
    case event(StreamEvent)
    case comment(String)
    case error(String)

    private enum Key: CodingKey {
        case kind, event, comment, error, type, data, id
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .event(let event):
            try container.encode("event", forKey: .kind)
            var fields = container.nestedContainer(keyedBy: Key.self, forKey: .event)
            try fields.encode(event.type, forKey: .type)
            try fields.encode(event.data, forKey: .data)
            try fields.encode(event.id, forKey: .id)
        case .comment(let text):
            try container.encode("comment", forKey: .kind)
            try container.encode(text, forKey: .comment)
        case .error(let sentence):
            try container.encode("error", forKey: .kind)
            try container.encode(sentence, forKey: .error)
        }
    }

    func print() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let line = try encoder.encode(self) + [UInt8(ascii: "\n")]
        var rest = Array(line)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            // Nobody listens any more.
            guard count > 0 else { exit(0) }
            rest = rest.dropFirst(count)
        }
    }
}
