import EventSource

/// The standard's text as a program, without any thought of speed or memory.
enum Reference {
    static func outputs(_ stream: [UInt8]) -> [Output] {
        var scalars = Array(String(decoding: stream, as: UTF8.self).unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var reader = Reader()
        for line in lines(scalars) { reader.read(line) }
        return reader.outputs
    }

    /// The lines that have an end.
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
