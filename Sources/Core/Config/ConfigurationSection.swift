import Reasons

/// A mapping in the config file that contains only known keys.
struct ConfigurationSection {
    private let values: [String: ConfigurationScalar]

    /// Creates a section from a mapping. Throws if a key is not in `keys`; the error suggests the most
    /// similar known key.
    init(_ place: ConfigurationScalar, keys: [String]) throws(ConfigurationError) {
        var values: [String: ConfigurationScalar] = [:]
        for value in try place.parseEntries() {
            guard keys.contains(value.name) else {
                let hint = spellingSuggestion(for: value.name, among: keys)
                let advice =
                    hint.map { Reason(.didYouMean, ["name": $0]) }
                    ?? Reason(.knownKeys, ["names": keys.joined(separator: ", ")])
                throw value.makeError(for: Reason(.keyUnknown).replacingAdvice(with: advice))
            }
            if !value.isNull { values[value.name] = value }
        }
        self.values = values
    }

    /// Returns the value of `key`; `nil` if the key is missing or its value is null.
    subscript(key: String) -> ConfigurationScalar? { values[key] }

    func readSection(forKey key: String, knownKeys: [String]) throws(ConfigurationError)
        -> ConfigurationSection?
    {
        guard let value = values[key] else { return nil }
        return try ConfigurationSection(value, keys: knownKeys)
    }

    func firstValue(forKeys keys: [String]) -> ConfigurationScalar? {
        keys.lazy.compactMap { values[$0] }.first
    }
}

/// Returns the candidate most similar to `word`; `nil` if none is similar enough.
func spellingSuggestion(for word: String, among candidates: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    func comparableBytes(of text: String) -> [UInt8] {
        text.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? 95 : $0 }
    }
    let nearest = candidates.map {
        (word: $0, distance: editDistance(between: comparableBytes(of: word), and: comparableBytes(of: $0)))
    }
    .min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(1, nearest.word.utf8.count / 3) else { return nil }
    return nearest.word
}

/// Returns the Levenshtein distance, counted in bytes.
private func editDistance(between left: [UInt8], and right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let change = diagonal + (a == b ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(change, row[j] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}
