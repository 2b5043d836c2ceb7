/// The control group to which the service manager assigned a process.
struct ControlGroup: Hashable {
    /// The innermost systemd unit in the path. An app may create control groups below its unit.
    let unit: String

    /// Parses /proc/PID/cgroup: the line of the unified hierarchy, or else the line of systemd's own
    /// hierarchy.
    init?(_ lines: String) {
        var found: Substring?
        for line in lines.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[2].hasPrefix("/") else { continue }
            if fields[0] == "0", fields[1].isEmpty, fields[2].count > 1 { found = fields[2] }
            if fields[1] == "name=systemd", fields[2].count > 1, found == nil { found = fields[2] }
        }
        // Reject a path outside the cgroup namespace, because the service manager may not have created it.
        guard let path = found, !path.hasPrefix("/../"),
            let last = path.split(separator: "/", omittingEmptySubsequences: false).last
        else { return nil }
        unit = String(last)
    }
}

/// A unit that was created for one app. The names follow systemd's specification for desktop environments
/// (systemd.io) and snapd.
struct AppUnit: Hashable {
    enum Launcher: Hashable {
        /// A desktop environment. Also used if the unit's name contains no launcher.
        case desktop
        case flatpak, snap
    }

    let launcher: Launcher
    /// The unescaped app ID in the unit's name; `NAME.APP` for a snap.
    let id: String

    /// Parses the name of a systemd unit; `nil` if the unit was not created for an app.
    init?(_ unit: String) {
        guard let dot = unit.lastIndex(of: "."), unit.utf8.count <= 255 else { return nil }
        let (name, type) = (unit[..<dot], unit[dot...])
        guard type == ".scope" || type == ".service" else { return nil }
        if name.hasPrefix("snap.") {
            guard let id = Self.parseSnapName(name) else { return nil }
            (launcher, self.id) = (.snap, id)
        } else {
            guard let (launcher, id) = Self.parseUnitName(name, isScope: type == ".scope") else { return nil }
            (self.launcher, self.id) = (launcher, id)
        }
    }

    /// Parses `app-[LAUNCHER-]ID-RANDOM` of a scope, or `app-[LAUNCHER-]ID[@RANDOM]` of a service.
    /// Returns the launcher and the app ID; `nil` if the name has another form.
    private static func parseUnitName(_ name: Substring, isScope: Bool) -> (Launcher, String)? {
        var parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.removeFirst() == "app", let last = parts.last else { return nil }
        if isScope {
            parts.removeLast()
        } else {
            parts[parts.count - 1] = last.prefix { $0 != "@" }
        }
        guard (1...2).contains(parts.count), !last.isEmpty, let id = parts.last.flatMap(unescape),
            isPossibleAppID(id)
        else { return nil }
        let launcher = parts.count == 2 ? parts[0] : ""
        return (launcher == "flatpak" ? .flatpak : .desktop, id)
    }

    /// Parses `snap.NAME.APP-RANDOM`. Before snapd 2.54, a dot precedes the random part. Services have no
    /// random part.
    private static func parseSnapName(_ name: Substring) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
        guard (2...3).contains(parts.count), let snap = parts.first, isSnapName(snap) else { return nil }
        var app = parts[parts.index(after: parts.startIndex)]
        // Remove the random suffix: a hyphen followed by a UUID.
        if parts.count == 2, app.utf8.count > 37, app.dropLast(36).hasSuffix("-") { app = app.dropLast(37) }
        return isSnapName(app) ? "\(snap).\(app)" : nil
    }

    private static func isSnapName(_ word: Substring) -> Bool {
        !word.isEmpty
            && word.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "+")
            }
    }

    /// Returns whether `word` is a possible app ID that can be shown as one word in a question.
    private static func isPossibleAppID(_ word: String) -> Bool {
        !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    || ".-_+:".unicodeScalars.contains($0)
            }
    }

    /// Decodes systemd's escaping, such as `\x2d` for a hyphen. Returns `nil` for text that systemd never
    /// generates.
    static func unescape(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.first {
            if byte != UInt8(ascii: "\\") {
                bytes.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.dropFirst(2).prefix(2)
            guard rest.dropFirst().first == UInt8(ascii: "x"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(4)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// The information file that Flatpak creates for an app. Source: flatpak-metadata(5).
struct FlatpakInfo {
    /// `nil` if the file names no app.
    let application: String?

    /// Parses a key file: reads `name` in the first group `[Application]`.
    init(_ text: String) {
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                if isInside { break }
                isInside = line == "[Application]"
            } else if isInside, line.hasPrefix("name=") {
                application = String(line.dropFirst("name=".count))
                return
            }
        }
        application = nil
    }
}
