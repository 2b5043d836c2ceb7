import CutieAPI

/// A D-Bus address list, as far as it names Unix sockets.
struct BusAddress: Hashable, Sendable {
    /// The path of the first Unix socket; with a leading NUL where it is an abstract one.
    var socket: String?

    /// `unix:path=/run/user/1000/bus,guid=...;tcp:...`, values with `%XX`.
    init(_ text: String) {
        socket = text.split(separator: ";").lazy.compactMap(Self.socket).first
    }

    private static func socket(of entry: Substring) -> String? {
        guard entry.hasPrefix("unix:") else { return nil }
        for pair in entry.dropFirst("unix:".count).split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let value = PercentEncoding.decode(parts[1]) else { continue }
            if parts[0] == "path" { return value }
            if parts[0] == "abstract" { return "\0" + value }
        }
        return nil
    }
}
