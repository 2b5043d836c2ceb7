import Yams

/// A mapping of the config file whose keys are known.
struct Section {
    private let values: [String: Value]

    /// Refuses a key that is not among `keys`, naming the nearest.
    init(_ place: Value, keys: [String]) throws(ConfigurationError) {
        var values: [String: Value] = [:]
        for value in try place.entries() {
            guard keys.contains(value.name) else {
                let hint = suggestion(for: value.name, among: keys).map { "did you mean \($0)?" }
                throw value.error(
                    "is not known here; " + (hint ?? "known are " + keys.joined(separator: ", ")))
            }
            if !value.isNull { values[value.name] = value }
        }
        self.values = values
    }

    /// nil where the key is not there, or nothing behind it.
    subscript(key: String) -> Value? { values[key] }

    func section(_ key: String, keys: [String]) throws(ConfigurationError) -> Section? {
        guard let value = values[key] else { return nil }
        return try Section(value, keys: keys)
    }

    func first(of keys: [String]) -> Value? { keys.lazy.compactMap { values[$0] }.first }
}
