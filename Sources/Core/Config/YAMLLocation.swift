import Reasons
import YAML

/// The result of a search for a key: the entry, or the group in which to insert it.
enum YAMLLocation {
    case present(YAMLEntry)
    /// The path exists only up to its first `depth` components. The group is the value of the last existing
    /// component.
    case missing(depth: Int, YAMLGroup)
}

/// A key with its value. Line numbers are counted from 0.
struct YAMLEntry {
    let name: String
    let line: Int
    /// The column of the key, counted from 0 in Unicode scalars.
    let column: Int
    let value: YAMLNode
    /// The line after the entry: the line of the next key, or the first line after the document.
    let end: Int
}

/// A block mapping: each key is on a separate line.
struct YAMLGroup {
    /// The entry that contains the group; `nil` for the whole file.
    let header: YAMLEntry?
    let entries: [YAMLEntry]
    /// The lines of the group, excluding its header.
    let lines: Range<Int>

    /// The column of the group's keys, or of its first new key if the group is empty.
    var column: Int { entries.first?.column ?? header.map { $0.column + 2 } ?? 0 }
}

/// The positions of the keys in a config file. `locateKey` throws an error if `key` cannot be edited line by
/// line.
struct YAMLMap {
    private let root: YAMLNode?
    private let lines: TextLines
    private let file: String
    private let key: ConfigurationKey

    init(root: YAMLNode?, lines: TextLines, file: String, for key: ConfigurationKey) {
        (self.root, self.lines, self.file, self.key) = (root, lines, file, key)
    }

    func locateKey() throws(ConfigurationError) -> YAMLLocation {
        var group = try self.checkedGroup(of: root, header: nil)
        for (depth, name) in key.path.enumerated() {
            guard let entry = group.entries.first(where: { $0.name == name }) else {
                return .missing(depth: depth, group)
            }
            try checkIsEditable(entry)
            if depth == key.path.count - 1 { return .present(entry) }
            guard KeyLine(lines[entry.line], column: entry.column)?.value.isEmpty ?? false else {
                throw editError(atLine: entry.line, code: .keysOnOneLine)
            }
            group = try self.checkedGroup(of: entry.value, header: entry)
        }
        return .missing(depth: key.path.count, group)
    }

    func editError(atLine line: Int?, code: Reason.Code) -> ConfigurationError {
        ConfigurationError(
            file: file, line: line.map { $0 + 1 }, key: key.description, problem: Reason(code))
    }

    private func checkedGroup(of node: YAMLNode?, header: YAMLEntry?) throws(ConfigurationError) -> YAMLGroup
    {
        let first = header.map { $0.line + 1 } ?? 0
        var members: [YAMLNode.Member] = []
        if let node, case .mapping(let present, let isFlow) = node.content {
            guard !isFlow else { throw editError(atLine: node.mark.line - 1, code: .keyInBraces) }
            members = present
        }
        let starts = members.map { $0.mark.line - 1 }
        let end = header?.end ?? endOfDocument(afterLine: starts.last ?? -1)
        let entries = zip(members, starts.dropFirst() + [end]).map { member, end in
            YAMLEntry(
                name: member.key, line: member.mark.line - 1, column: member.mark.column - 1,
                value: member.value, end: end)
        }
        return YAMLGroup(header: header, entries: entries, lines: first..<max(first, end))
    }

    private func endOfDocument(afterLine line: Int) -> Int {
        (line + 1..<max(line + 1, lines.count)).first { lines[$0].hasPrefix("...") } ?? lines.count
    }

    private func checkIsEditable(_ entry: YAMLEntry) throws(ConfigurationError) {
        let line = lines[entry.line]
        if line.unicodeScalars.contains("\t") {
            throw editError(atLine: entry.line, code: .keyWithTab)
        }
        guard entry.column <= line.unicodeScalars.count,
            line.unicodeScalars.prefix(entry.column).allSatisfy({ $0 == " " })
        else {
            throw editError(atLine: entry.line, code: .keyNotAtStart)
        }
        let behind = line.unicodeScalars.dropFirst(entry.column).drop { $0 != ":" }.dropFirst().drop {
            $0 == " "
        }
        switch behind.first {
        case "&", "*", "!":
            throw editError(atLine: entry.line, code: .valueWithAnchor)
        case "{": throw editError(atLine: entry.line, code: .keyInBraces)
        default: break
        }
    }
}
