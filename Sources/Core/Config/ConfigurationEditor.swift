import Reasons
import YAML

/// An editor that changes one key in the text of a config file. The editor creates several candidate texts,
/// one for each way in which a user could edit the file, and uses the first candidate that parses to exactly
/// the intended tree.
struct ConfigurationEditor {
    private let text: String
    private let file: String
    private let key: ConfigurationKey
    private let root: YAMLNode?
    private let lines: TextLines

    init(_ text: String, file: String, key: ConfigurationKey) throws(ConfigurationError) {
        (self.text, self.file, self.key) = (text, file, key)
        root = try YAMLDocument.parseRoot(of: text, file: file)
        lines = TextLines(text)
    }

    func editedText(settingKeyTo value: ConfigurationValue?) throws(ConfigurationError) -> String {
        let before = ConfigurationTree(root)
        let wanted = before.replacingValue(at: key.path[...], with: value?.tree)
        if wanted == before { return text }
        if let value { try checkYAMLRoundTrip(of: value) }
        let map = YAMLMap(root: root, lines: lines, file: file, for: key)
        let drafts: [TextLines]
        let line: Int?
        switch try map.locateKey() {
        case .present(let entry):
            (drafts, line) = (self.makeDrafts(replacing: entry, with: value), entry.line)
        case .missing(let depth, let group):
            drafts = value.map { self.makeDrafts(addingKeyTo: group, depth: depth, value: $0) } ?? []
            line = group.header?.line
        }
        for draft in drafts {
            let text = draft.text
            if Self.parseTree(of: text) == wanted { return text }
        }
        throw map.editError(atLine: line, code: .keyNotOnOwnLine)
    }

    /// Throws if the written YAML of `value` does not parse to `value`.
    private func checkYAMLRoundTrip(of value: ConfigurationValue) throws(ConfigurationError) {
        let alone = "key: " + value.written
        let isOneLine = TextLines(alone).count == 1
        guard isOneLine,
            Self.parseTree(of: alone) == ConfigurationTree.null.replacingValue(at: ["key"], with: value.tree)
        else {
            throw ConfigurationError(
                file: file, key: key.description,
                problem: Reason(.controlCharacters))
        }
    }

    /// Returns the parsed tree; `nil` if `text` is not YAML.
    private static func parseTree(of text: String) -> ConfigurationTree? {
        do { return ConfigurationTree(try YAMLDocument.parseRoot(of: text, file: "")) } catch { return nil }
    }

    // MARK: Existing keys

    private func makeDrafts(replacing entry: YAMLEntry, with value: ConfigurationValue?) -> [TextLines] {
        let body = entry.line + 1..<max(entry.line + 1, lines.endOfContent(in: entry.line..<entry.end))
        guard let line = KeyLine(lines[entry.line], column: entry.column) else { return [] }
        // If the value spans several lines, it must be a block list without comments, because an edit would
        // delete the comments inside the list.
        if !body.isEmpty {
            guard case .sequence = entry.value.content, line.value.isEmpty,
                !body.contains(where: { lines[$0].contains("#") })
            else { return [] }
        }
        var draft = lines
        draft.removeLines(in: body)
        if let value {
            draft.replaceLine(at: entry.line, with: line.replacingValue(with: value.written))
        } else if line.comment.isEmpty {
            draft.removeLines(in: entry.line..<entry.line + 1)
        } else {
            draft.replaceLine(at: entry.line, with: indentation(width: entry.column) + line.comment)
        }
        return [draft]
    }

    // MARK: Missing keys

    private func makeDrafts(addingKeyTo group: YAMLGroup, depth: Int, value: ConfigurationValue)
        -> [TextLines]
    {
        let names = key.path[depth...]
        return [linesWithUncommentedKey(atPath: names, in: group, value: value)].compactMap { $0 }
            + insertionIndexes(forKey: names[depth], in: group).map { line in
                var draft = lines
                draft.insertLines(
                    yamlLines(forPath: names, value: value, startColumn: group.column), at: line)
                return draft
            }
    }

    /// Returns the line indexes at which the key can be inserted, in order of preference.
    private func insertionIndexes(forKey name: String, in group: YAMLGroup) -> [Int] {
        guard let first = group.entries.first, var last = group.entries.last else {
            let end = group.header.map { $0.line + 1 } ?? lines.endOfContent(in: group.lines)
            return group.header == nil ? [group.lines.upperBound, end] : [end]
        }
        if group.header == nil, AccountConfiguration.keys.contains(name) {
            let relatives = group.entries.last { AccountConfiguration.keys.contains($0.name) }
            guard let relatives, name != "app_id", name != "api_url" else { return [first.line] }
            last = relatives
        }
        return [lines.endOfContent(in: last.line..<last.end), last.end]
    }

    private func yamlLines(
        forPath names: ArraySlice<String>, value: ConfigurationValue, startColumn column: Int
    )
        -> [String]
    {
        names.enumerated().map { index, name in
            indentation(width: column + 2 * index) + name + ":"
                + (index == names.count - 1 ? " " + value.written : "")
        }
    }

    /// Returns the lines with the key and its value in place of the commented-out line of the key; `nil` if
    /// there is no such line. The example file contains a commented-out line for each key.
    private func linesWithUncommentedKey(
        atPath names: ArraySlice<String>, in group: YAMLGroup, value: ConfigurationValue
    ) -> TextLines? {
        guard let name = names.first else { return nil }
        let isTop = group.header == nil
        let range = isTop ? group.lines : group.lines.lowerBound..<endOfCommentedOutGroup(in: group.lines)
        guard let index = range.first(where: { isCommentedOutKey(name, at: $0, isTopLevel: isTop) }) else {
            return nil
        }
        var draft = lines
        guard names.count > 1 else {
            draft.replaceLine(
                at: index, with: yamlLines(forPath: names, value: value, startColumn: group.column)[0])
            return draft
        }
        guard names.count == 2, let leaf = names.last else { return nil }
        draft.replaceLine(at: index, with: indentation(width: group.column) + name + ":")
        let below = index + 1..<endOfCommentedOutGroup(in: index + 1..<group.lines.upperBound)
        let line = yamlLines(forPath: [leaf], value: value, startColumn: group.column + 2)
        if let leafIndex = below.first(where: { isCommentedOutKey(leaf, at: $0, isTopLevel: false) }) {
            draft.replaceLine(at: leafIndex, with: line[0])
        } else {
            draft.insertLines(line, at: index + 1)
        }
        return draft
    }

    /// Returns whether the line is the commented-out key: `#name:` at the top level, `#  name:` or `  #name:`
    /// in a group. Any other line with a space after the `#` is prose.
    private func isCommentedOutKey(_ name: String, at index: Int, isTopLevel: Bool) -> Bool {
        var rest = lines[index][...]
        let before = rest.prefix { $0 == " " }.count
        rest = rest.dropFirst(before)
        guard rest.first == "#" else { return false }
        rest = rest.dropFirst()
        let behind = rest.prefix { $0 == " " }.count
        guard isTopLevel ? before + behind == 0 : (before == 0) != (behind == 0) else { return false }
        rest = rest.dropFirst(behind)
        guard rest.hasPrefix(name + ":") else { return false }
        return [nil, " "].contains(rest.dropFirst(name.count + 1).first)
    }

    /// Returns the index of the line after a commented-out group. The group ends before the next top-level
    /// key, whether that key is commented out or not.
    private func endOfCommentedOutGroup(in range: Range<Int>) -> Int {
        let letters = "a"..."z"
        func isLetter(_ character: Character?) -> Bool {
            character.map { letters.contains(String($0)) } ?? false
        }
        return range.first { index in
            let line = lines[index]
            return isLetter(line.first) || line.first == "#" && isLetter(line.dropFirst().first)
        } ?? range.upperBound
    }

    private func indentation(width columns: Int) -> String { String(repeating: " ", count: columns) }
}
