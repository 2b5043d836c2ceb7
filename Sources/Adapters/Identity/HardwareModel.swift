/// What the firmware says the machine is.
struct HardwareModel {
    /// Maker and product, for instance "Dell Inc. XPS 13 9310"; nil where the firmware has no idea.
    let name: String?

    /// Of DMI, as in /sys/class/dmi/id.
    init(vendor: String?, product: String?, version: String?) {
        let vendor = Self.told(vendor)
        var product = Self.told(product)
        // Lenovo's product is a number, and its version what is printed on the lid.
        if vendor?.uppercased() == "LENOVO", let version = Self.told(version) { product = version }
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

    /// Of a device tree, which ends its texts with NUL.
    init(deviceTree model: String) { name = Self.told(String(model.prefix { $0 != "\0" })) }

    /// Nil for what boards say whose maker did not fill it in.
    private static func told(_ value: String?) -> String? {
        guard let value = value?.trimmed, !junk.contains(value.lowercased()) else { return nil }
        return String(value)
    }

    private static let junk: Set = [
        "", "0", "1", "to be filled by o.e.m.", "to be filled by oem", "system manufacturer",
        "system product name", "system version", "default string", "not specified", "not applicable",
        "not available", "none", "unknown", "invalid", "empty", "n/a", "na", "oem", "o.e.m.", "standard",
        "undefined", "type1productconfigid", "xxxxxxxx", "product name", "manufacturer", "all series",
    ]
}
