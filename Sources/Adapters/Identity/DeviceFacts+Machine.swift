public import CutieAPI

extension DeviceFacts {
    /// Returns all known facts about this computer and session; `DeviceContext` decides which of them may be
    /// sent. Reads the locale from `environment`.
    public static func readFromThisMachine(environment: [String: String], appVersion: String? = nil)
        -> DeviceFacts
    {
        readFromMachine(root: "", environment: environment, appVersion: appVersion)
    }

    static func readFromMachine(
        root: String, environment: [String: String], appVersion: String?
    ) -> DeviceFacts {
        let locale = LocaleName(environment: environment)
        return DeviceFacts(
            language: locale.language, country: locale.country, appVersion: appVersion,
            osVersion: readSystemName(root: root).flatMap(displayableText),
            deviceModel: readModel(root: root).flatMap(displayableText))
    }

    private static func readSystemName(root: String) -> String? {
        let text = readText(at: root + "/etc/os-release") ?? readText(at: root + "/usr/lib/os-release")
        return text.flatMap { OSRelease($0).name }
    }

    private static func readModel(root: String) -> String? {
        func readDMIField(named name: String) -> String? { readText(at: root + "/sys/class/dmi/id/" + name) }
        let desktop = HardwareModel(
            vendor: readDMIField(named: "sys_vendor"), product: readDMIField(named: "product_name"),
            version: readDMIField(named: "product_version"))
        return desktop.name
            ?? readText(at: root + "/sys/firmware/devicetree/base/model").flatMap {
                HardwareModel(deviceTree: $0).name
            }
    }

    private static func readText(at path: String) -> String? {
        guard let contents = try? RegularFile.read(path, sizeLimit: 16_384) else { return nil }
        return String(decoding: contents.bytes, as: UTF8.self)
    }

    /// Returns `text` without control characters, truncated to 128 scalars; `nil` if the result is empty.
    private static func displayableText(_ text: String) -> String? {
        let line = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(128)
        return line.isEmpty ? nil : String(String.UnicodeScalarView(line))
    }
}

/// The model name of the computer, from the firmware.
struct HardwareModel {
    /// The vendor and the product, such as "Dell Inc. XPS 13 9310"; `nil` if the firmware reports no product.
    let name: String?

    /// Creates a model from the DMI values in /sys/class/dmi/id.
    init(vendor: String?, product: String?, version: String?) {
        let vendor = Self.meaningfulValue(vendor)
        var product = Self.meaningfulValue(product)
        // Lenovo stores a number in the product field and the marketing name in the version field.
        if vendor?.uppercased() == "LENOVO", let version = Self.meaningfulValue(version) { product = version }
        guard let product else {
            name = nil
            return
        }
        guard let vendor, !product.lowercased().hasPrefix(vendor.lowercased()) else {
            name = product
            return
        }
        name = vendor + " " + product
    }

    /// Creates a model from the NUL-terminated `model` value of the device tree.
    init(deviceTree model: String) { name = Self.meaningfulValue(String(model.prefix { $0 != "\0" })) }

    /// Returns the value; `nil` if the value is missing or a placeholder, such as "To be filled by O.E.M.".
    private static func meaningfulValue(_ value: String?) -> String? {
        guard let value = value?.trimmed, !placeholders.contains(value.lowercased()) else { return nil }
        return String(value)
    }

    private static let placeholders: Set = [
        "", "0", "1", "to be filled by o.e.m.", "to be filled by oem", "system manufacturer",
        "system product name", "system version", "default string", "not specified", "not applicable",
        "not available", "none", "unknown", "invalid", "empty", "n/a", "na", "oem", "o.e.m.", "standard",
        "undefined", "type1productconfigid", "xxxxxxxx", "product name", "manufacturer", "all series",
    ]
}

/// The values of an os-release(5) file.
struct OSRelease {
    private var values: [String: String] = [:]

    /// Parses the assignments in the file. Ignores all other lines.
    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            guard let equals = line.firstIndex(of: "="), line.first != "#" else { continue }
            let value = Self.unquotedValue(line[line.index(after: equals)...])
            if let value { values[String(line[..<equals])] = value }
        }
    }

    /// The name of the operating system, such as "Debian GNU/Linux 12": `PRETTY_NAME`, or `NAME` with
    /// `VERSION_ID`; `nil` if the file contains no name.
    var name: String? {
        if let pretty = values["PRETTY_NAME"], !pretty.isEmpty { return pretty }
        guard let name = values["NAME"], !name.isEmpty else { return nil }
        guard let version = values["VERSION_ID"], !version.isEmpty else { return name }
        return name + " " + version
    }

    /// Returns a value without shell quoting; `nil` if a closing quote is missing.
    private static func unquotedValue(_ text: Substring) -> String? {
        var value = ""
        var quote: Character?
        var characters = text.makeIterator()
        while let character = characters.next() {
            switch (character, quote) {
            case ("\\", nil):
                guard let next = characters.next() else { return nil }
                value.append(next)
            case ("\\", "\""):
                guard let next = characters.next() else { return nil }
                // Inside double quotes, a backslash escapes only these characters.
                if !"\"\\$`".contains(next) { value.append("\\") }
                value.append(next)
            case ("'", nil), ("\"", nil): quote = character
            case (let end, .some(let open)) where end == open: quote = nil
            // An unquoted space or tab ends the value.
            case (" ", nil), ("\t", nil): return value
            default: value.append(character)
            }
        }
        return quote == nil ? value : nil
    }
}

extension StringProtocol {
    var trimmed: SubSequence {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start }
        return start[...last]
    }
}

/// The language and country of the user's locale.
struct LocaleName: Hashable {
    /// The ISO 639 code in lower case; `nil` if unknown.
    let language: String?
    /// The ISO 3166 code in upper case; `nil` if unknown.
    let country: String?

    /// Parses the first non-empty variable of LC_ALL, LC_MESSAGES and LANG, like the C library.
    init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        self.init(names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "")
    }

    /// Parses a locale name such as `de_DE.UTF-8@euro`. `C`, `POSIX` and invalid names produce no language
    /// and no country.
    init(_ name: String) {
        let plain = name.prefix { $0 != "." && $0 != "@" }
        let parts = plain.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count), first.allSatisfy(Self.isLetter) else {
            language = nil
            country = nil
            return
        }
        language = first.lowercased()
        let second = parts.dropFirst().first
        country = second.flatMap { $0.count == 2 && $0.allSatisfy(Self.isLetter) ? $0.uppercased() : nil }
    }

    private static func isLetter(_ character: Character) -> Bool { character.isASCII && character.isLetter }
}
