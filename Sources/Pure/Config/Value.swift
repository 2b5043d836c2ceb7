import Yams

/// A value of the config file together with its place, for errors that name it.
struct Value {
    private let node: Node
    private let file: String
    /// Where it begins, or the key in front of it.
    private let mark: Mark?
    /// With the keys around it, `notifications.preview`; empty for the whole file.
    private let key: String
    /// The last of the keys.
    let name: String

    init(node: Node, file: String, key: String, name: String? = nil, mark: Mark? = nil) {
        self.node = node
        self.file = file
        self.key = key
        self.name = name ?? key
        self.mark = mark ?? node.mark
    }

    /// One that stands in no file's text.
    init(text: String, file: String, key: String) {
        self.init(node: Node(text), file: file, key: key)
    }

    func error(_ sentence: String) -> ConfigurationError {
        ConfigurationError(
            file: file, line: mark?.line, column: mark?.column, key: key.isEmpty ? nil : key,
            sentence: sentence)
    }

    /// Nothing behind the key, or `~` or `null`: as if it were not there.
    var isNull: Bool { plain.map { ["", "~", "null"].contains($0) } ?? false }

    var isList: Bool { node.sequence != nil }

    /// The text of a word; nil for one in quotes.
    var plain: String? {
        node.scalar.flatMap { $0.style == .plain || $0.style == .any ? $0.string : nil }
    }

    /// One line of at most 4096 bytes without control characters.
    func text() throws(ConfigurationError) -> String {
        guard let text = node.scalar?.string else {
            throw error("must be one text; write it behind the colon")
        }
        guard text.utf8.count <= 4096 else { throw error("is longer than 4096 bytes; shorten it") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw error("holds a control character; write it on one line")
        }
        return text
    }

    /// The values of a list, at most 1024.
    func list() throws(ConfigurationError) -> [Value] {
        guard let sequence = node.sequence else { throw error("must be a list; write [one, two]") }
        guard sequence.count <= 1024 else { throw error("has more than 1024 entries; shorten it") }
        return sequence.enumerated().map { Value(node: $1, file: file, key: key + "[\($0)]") }
    }

    /// The values of a mapping with their names, at most 1024, in the order of the file.
    func entries() throws(ConfigurationError) -> [Value] {
        guard let mapping = node.mapping else {
            throw error("must be a group of keys; write key: value below it, one a line")
        }
        guard mapping.count <= 1024 else { throw error("has more than 1024 keys; shorten it") }
        var entries: [Value] = []
        for (keyNode, node) in mapping {
            let name = try Value(node: keyNode, file: file, key: key).text()
            entries.append(
                Value(
                    node: node, file: file, key: key.isEmpty ? name : key + "." + name, name: name,
                    mark: keyNode.mark))
        }
        return entries
    }
}
