import YAML

/// What a config file's text means, without its places and its style: two texts of one tree mean the same.
enum YAMLTree: Hashable {
    /// Nothing behind a key, `~` or `null`, or a group of nothing.
    case null
    case scalar(String, isPlain: Bool)
    case list([YAMLTree])
    /// Keys with nothing behind them are not among them, as they mean nothing.
    case group([String: YAMLTree])

    init(_ node: YAMLNode?) {
        switch node?.content {
        case nil: self = .null
        case let content? where content.isNull: self = .null
        case .scalar(let text, let isPlain)?: self = .scalar(text, isPlain: isPlain)
        case .sequence(let nodes)?: self = .list(nodes.map { YAMLTree($0) })
        case .mapping(let members, _)?:
            let pairs = members.map { ($0.key, YAMLTree($0.value)) }
            let values = Dictionary(uniqueKeysWithValues: pairs).filter { $0.value != .null }
            self = values.isEmpty ? .null : .group(values)
        }
    }

    /// With `value` at the end of `path`; nil takes it away, and a group that has nothing left.
    func setting(_ path: ArraySlice<String>, to value: YAMLTree?) -> YAMLTree {
        guard let name = path.first else { return value ?? .null }
        var values: [String: YAMLTree] = [:]
        if case .group(let present) = self { values = present }
        if value == nil, values[name] == nil { return self }
        let changed = (values[name] ?? .null).setting(path.dropFirst(), to: value)
        values[name] = changed == .null ? nil : changed
        return values.isEmpty ? .null : .group(values)
    }
}
