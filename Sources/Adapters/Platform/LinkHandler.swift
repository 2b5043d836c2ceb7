/// The program that the desktop starts for links with a certain scheme, according to the freedesktop.org MIME
/// applications specification. Configured defaults take precedence over other installed programs.
public struct LinkHandler: Hashable, Sendable {
    /// The name of the .desktop file.
    public let id: String
    /// The display name of the program.
    public let name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// Returns the handler for `scheme`; `nil` if no installed program handles it.
    public static func find(forScheme scheme: String, environment: [String: String]) -> LinkHandler? {
        let search = LinkHandlerSearch(type: "x-scheme-handler/" + scheme, environment: environment)
        return search.defaults.lazy.compactMap(search.findHandler).first
            ?? search.declared.lazy.compactMap(search.findHandler).first
    }
}

/// A search in the desktop's configuration files for the handler of a MIME type.
private struct LinkHandlerSearch {
    private static let fileLimit = 1 << 20

    let type: String
    private let configuration: [String]
    private let applications: [String]
    private let desktops: [String]

    init(type: String, environment: [String: String]) {
        self.type = type
        func dataDirectories(fromVariable name: String, default standard: String) -> [String] {
            (environment.nonEmptyValue(named: name) ?? standard).split(separator: ":").filter {
                $0.hasPrefix("/")
            }
            .map(String.init)
        }
        let home = environment["HOME"] ?? "/"
        configuration =
            dataDirectories(fromVariable: "XDG_CONFIG_HOME", default: home + "/.config")
            + dataDirectories(fromVariable: "XDG_CONFIG_DIRS", default: "/etc/xdg")
        applications =
            (dataDirectories(fromVariable: "XDG_DATA_HOME", default: home + "/.local/share")
            + dataDirectories(fromVariable: "XDG_DATA_DIRS", default: "/usr/local/share:/usr/share")).map {
                $0 + "/applications"
            }
        desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").split(separator: ":").map { $0.lowercased() }
    }

    /// The .desktop file names of the configured default handlers, in order of precedence.
    var defaults: [String] {
        let names = desktops.map { $0 + "-mimeapps.list" } + ["mimeapps.list"]
        return (configuration + applications).flatMap { directory in
            names.flatMap {
                readValues(forKey: type, inGroup: "Default Applications", ofFile: directory + "/" + $0)
            }
        }
    }

    /// The .desktop file names of all installed programs that support the type.
    var declared: [String] {
        applications.flatMap {
            readValues(forKey: type, inGroup: "MIME Cache", ofFile: $0 + "/mimeinfo.cache")
        }
    }

    /// Returns the handler; `nil` if its .desktop file is missing or hidden.
    func findHandler(withID id: String) -> LinkHandler? {
        guard !id.contains("/") else { return nil }
        for directory in applications {
            guard let text = readText(at: directory + "/" + id) else { continue }
            let entry = parseGroup("Desktop Entry", in: text)
            if entry["Hidden"] == "true" { return nil }
            return LinkHandler(id: id, name: entry["Name"] ?? id)
        }
        return nil
    }

    private func readValues(forKey key: String, inGroup group: String, ofFile file: String) -> [String] {
        guard let text = readText(at: file) else { return [] }
        return parseGroup(group, in: text)[key]?.split(separator: ";").map(String.init) ?? []
    }

    /// Returns the keys and values of a group. If a key occurs twice, the first value applies.
    private func parseGroup(_ group: String, in text: String) -> [String: String] {
        var found: [String: String] = [:]
        var isInGroup = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isInGroup = line == "[\(group)]"
            } else if isInGroup, let sign = line.firstIndex(of: "=") {
                let (key, value) = (
                    trimmedValue(line[..<sign]), trimmedValue(line[line.index(after: sign)...])
                )
                if found[key] == nil { found[key] = value }
            }
        }
        return found
    }

    private func trimmedValue(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace ?? false { text.removeLast() }
        return String(text)
    }

    private func readText(at path: String) -> String? {
        guard let bytes = try? SmallFile.read(path, sizeLimit: Self.fileLimit), bytes.count <= Self.fileLimit
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
