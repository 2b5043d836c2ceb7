public import CutieAPI

extension DeviceFacts {
    /// What there is to tell of this machine and session, uncut: `DeviceContext` says what may go out.
    /// `environment` is the process's.
    public static func ofThisMachine(environment: [String: String], appVersion: String? = nil) -> DeviceFacts
    {
        ofMachine(below: "", environment: environment, appVersion: appVersion)
    }

    static func ofMachine(
        below root: String, environment: [String: String], appVersion: String?
    ) -> DeviceFacts {
        let locale = LocaleName(environment: environment)
        return DeviceFacts(
            language: locale.language, country: locale.country, appVersion: appVersion,
            osVersion: system(root).flatMap(presentable), deviceModel: model(root).flatMap(presentable))
    }

    private static func system(_ root: String) -> String? {
        let text = text(root + "/etc/os-release") ?? text(root + "/usr/lib/os-release")
        return text.flatMap { OSRelease($0).name }
    }

    private static func model(_ root: String) -> String? {
        func dmi(_ name: String) -> String? { text(root + "/sys/class/dmi/id/" + name) }
        let desktop = HardwareModel(
            vendor: dmi("sys_vendor"), product: dmi("product_name"), version: dmi("product_version"))
        return desktop.name
            ?? text(root + "/sys/firmware/devicetree/base/model").flatMap {
                HardwareModel(deviceTree: $0).name
            }
    }

    private static func text(_ path: String) -> String? {
        guard let contents = try? PlainFile.read(path, limit: 16_384) else { return nil }
        return String(decoding: contents.bytes, as: UTF8.self)
    }

    /// On one line, and of a length that servers store.
    private static func presentable(_ text: String) -> String? {
        let line = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(128)
        return line.isEmpty ? nil : String(String.UnicodeScalarView(line))
    }
}
