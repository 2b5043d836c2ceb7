import EventSource
import TestSupport

/// A reference implementation of the WHATWG standard without optimizations.
enum Reference {
    static func outputs(_ stream: [UInt8]) -> [Output] {
        var scalars = Array(String(decoding: stream, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var reader = Reader()
        for line in lines(scalars) { reader.read(line) }
        return reader.outputs
    }

    /// Returns all lines that have a line ending.
    private static func lines(_ scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var lines: [[Unicode.Scalar]] = []
        var line: [Unicode.Scalar] = []
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\n", index > 0, scalars[index - 1] == "\r" { continue }
            if scalar == "\n" || scalar == "\r" {
                lines.append(line)
                line = []
            } else {
                line.append(scalar)
            }
        }
        return lines
    }

    private struct Reader {
        var outputs: [Output] = []
        var data = ""
        var type = ""
        var id = ""

        mutating func read(_ line: [Unicode.Scalar]) {
            if line.isEmpty {
                if data.unicodeScalars.last == "\n" {
                    data.unicodeScalars.removeLast()
                    outputs.append(event(data, type: type.isEmpty ? "message" : type, id: id))
                }
                data = ""
                type = ""
            } else if line.first == ":" {
                outputs.append(.comment(text(line.dropFirst())))
            } else {
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                var value = line[colon...].dropFirst()
                if value.first == " " { value = value.dropFirst() }
                process(text(line[..<colon]), text(value))
            }
        }

        mutating func process(_ field: String, _ value: String) {
            switch field {
            case "event": type = value
            case "data": data += value + "\n"
            case "id": if !value.unicodeScalars.contains("\u{0}") { id = value }
            case "retry":
                guard !value.isEmpty, value.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) }) else {
                    return
                }
                outputs.append(.retry(milliseconds: min(Int(value) ?? .max, Int(Int32.max))))
            default: break
            }
        }

        private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }
    }
}

typealias Output = EventStreamParser.Output

/// Returns the parser's outputs for a stream that arrives in `chunks`.
func outputs(_ chunks: [[UInt8]], limit: Int = EventStreamParser.defaultLimit) throws -> [Output] {
    var parser = EventStreamParser(limit: limit)
    var outputs: [Output] = []
    for chunk in chunks { try parser.consume(chunk, into: &outputs) }
    return outputs
}

func outputs(_ text: String) throws -> [Output] { try outputs([Array(text.utf8)]) }

func event(_ data: String, type: String = "message", id: String = "") -> Output {
    .event(StreamEvent(type: type, data: data, id: id))
}

extension SeededGenerator {
    /// Splits `bytes` into chunks of 0 to 20 bytes.
    mutating func split(_ bytes: [UInt8]) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var position = 0
        while position < bytes.count {
            let end = min(position + Int.random(in: 0...20, using: &self), bytes.count)
            chunks.append(Array(bytes[position..<end]))
            position = end
        }
        return chunks
    }
}
